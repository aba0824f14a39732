import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { FedError, UsageError } from '../../../errors/fed-error.ts'
import { packageRoot } from '../../../platform/process/package.ts'
import { hasCode } from '../../../platform/storage/system-error.ts'
import { isToken, objectionTo, safeHeaders } from './guard.ts'

/** The largest thing to do that is read, in bytes: a signal's body, however JSON escapes it. */
const largestRequest = 8 * 1024 * 1024

/** What is served below the token. */
export interface Pages {
  /** Answers what is looked at; `steps` are the parts of the path behind the token. */
  show(steps: readonly string[], query: URLSearchParams, response: ServerResponse): Promise<void>
  /** Does what is asked, and says what was done. */
  act(steps: readonly string[], given: unknown): Promise<unknown>
  /** Ends what they are made of; called once, when they are served no more. */
  end(): Promise<void>
}

export interface LocalSettings {
  readonly token: string
  /** Must be had, if given. */
  readonly port?: number | undefined
  /** Is taken where it is free. */
  readonly lastPort?: number | undefined
}

/** A server that only this machine reaches. */
export interface LocalServer {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

/**
 * Serves pages on 127.0.0.1, to whoever knows the token. They end with the server, or when there is none.
 * @throws {UsageError} when the port that was asked for is taken.
 */
export async function serveLocally(
  pages: Pages,
  { token, port, lastPort }: LocalSettings,
): Promise<LocalServer> {
  const hosts: string[] = []
  const server = createServer((request, response) => void answer(pages, { token, hosts }, request, response))
  const address = await listen(server, port, lastPort).catch(async (error: unknown) => {
    await pages.end()
    throw error
  })
  hosts.push(`127.0.0.1:${address.port}`, `localhost:${address.port}`)
  return {
    url: `http://127.0.0.1:${address.port}/${token}/`,
    port: address.port,
    async close() {
      await pages.end()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

async function listen(
  server: Server,
  asked: number | undefined,
  last: number | undefined,
): Promise<AddressInfo> {
  for (const port of asked === undefined ? [last ?? 0, 0] : [asked]) {
    const failure = await new Promise<Error | undefined>((resolve) => {
      server.once('error', resolve)
      // never anything but this machine
      server.listen(port, '127.0.0.1', () => {
        server.off('error', resolve)
        resolve(undefined)
      })
    })
    if (failure === undefined) return server.address() as AddressInfo
    if (!hasCode(failure, 'EADDRINUSE', 'EACCES')) throw failure
    if (asked !== undefined)
      throw new UsageError(
        `--port: ${asked} ${hasCode(failure, 'EACCES') ? 'may not be used' : 'is taken'}; give another, or none for a free one`,
      )
  }
  throw new UsageError('there is no free port; give one with --port')
}

async function answer(
  pages: Pages,
  { token, hosts }: { readonly token: string; readonly hosts: readonly string[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value)
  try {
    const objection = objectionTo(request, hosts)
    if (objection !== undefined) return refuse(response, 403, objection)
    // a path that begins with two slashes names no other machine
    const url = new URL(`http://127.0.0.1${request.url ?? '/'}`)
    const [, given = '', ...steps] = url.pathname.split('/')
    if (!isToken(given, token))
      return refuse(response, 403, 'open the address that fed printed: it holds a token')
    if (request.method === 'HEAD') return void response.end()
    if (request.method === 'POST') return send(response, await pages.act(steps, await readJson(request)))
    await pages.show(steps, url.searchParams, response)
  } catch (error) {
    if (error instanceof FedError) return refuse(response, statusOf(error), error.message)
    // nobody waits for an answer any more, or nothing better can be said
    refuse(response, 500, error instanceof Error ? error.message : String(error))
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestRequest) throw new UsageError('that is too much to be sent at once')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    throw new UsageError(`what is to be done is no JSON: ${(error as Error).message}`, { cause: error })
  }
}

function statusOf({ exitCode }: FedError): number {
  return { 2: 400, 4: 404, 5: 409 }[exitCode] ?? 500
}

/** Answers with JSON. */
export function send(response: ServerResponse, content: unknown, status = 200): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(content))
}

function refuse(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) response.destroy()
  else send(response, { error }, status)
}

/** Files that belong to a page, by their names in the address; the page itself has none. */
export interface PageFiles {
  /** Of all of them together: pages of another build load themselves anew. */
  readonly build: string
  /** Answers with a file; false where there is none of that name. */
  answer(steps: readonly string[], response: ServerResponse): boolean
}

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' }

/** The built files of a page, read once. */
export function pageFiles(folder: string, names: readonly string[]): PageFiles {
  const files = new Map(
    names.map((name) => [name, readFileSync(path.join(packageRoot, 'dist', folder, name))]),
  )
  const hash = createHash('sha256')
  for (const bytes of files.values()) hash.update(bytes)
  return {
    build: hash.digest('hex').slice(0, 16),
    answer([first = '', ...more], response) {
      const name = first === '' ? 'index.html' : first
      const bytes = more.length === 0 ? files.get(name) : undefined
      if (bytes === undefined) return false
      response.setHeader('content-type', `${types[path.extname(name).slice(1)]}; charset=utf-8`)
      response.end(bytes)
      return true
    },
  }
}
