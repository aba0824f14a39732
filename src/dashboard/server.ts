import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { FedError, NotFoundError, UsageError } from '../errors.ts'
import type { Federation } from '../federation.ts'
import { packageRoot } from '../package.ts'
import { hasCode } from '../storage/system-error.ts'
import { acts } from './acts.ts'
import { keepAddress, lastAddress, newToken, type Address } from './address.ts'
import { Charts } from './charts.ts'
import { showDeliverable } from './deliverable.ts'
import { EventStream } from './event-stream.ts'
import { FederationView } from './federation-view.ts'
import { isToken, objectionTo, safeHeaders } from './guard.ts'
import type { ShownFederation } from './shown.ts'
import type { TeamView } from './team-view.ts'

/** The largest thing to do that is read, in bytes: a signal's body, however JSON escapes it. */
const largestRequest = 8 * 1024 * 1024
/** So much of a log is shown at first, in bytes. */
const firstOfLog = -65_536

/** A running dashboard. */
export interface Dashboard {
  /** With the token: who has it may look, pause and send. */
  readonly url: string
  close(): Promise<void>
}

export interface DashboardSettings {
  /** Without one it is the port of the last time, or any that is free. */
  readonly port?: number | undefined
}

/**
 * Serves the live page of a federation on 127.0.0.1, to whoever knows its token.
 * @throws {UsageError} when the port that was asked for is taken.
 */
export async function serveDashboard(
  federation: Federation,
  { port }: DashboardSettings = {},
): Promise<Dashboard> {
  const open = await federation.opener()
  const files = pageFiles()
  const shown: ShownFederation = {
    name: federation.config.federationName ?? path.basename(federation.root),
    root: federation.root,
    description: federation.config.description ?? '',
    build: files.build,
    deliverable: federation.config.deliverable,
  }
  const last = lastAddress(federation.root)
  const token = last?.token ?? newToken()
  const streams = new EventStream()
  const view = new FederationView(federation, open, (change) => streams.tell('change', change))
  const place = new Place(federation, view, shown, files, streams, token)
  const server = createServer((request, response) => void place.answer(request, response))
  try {
    const address = await listen(server, port, last?.port)
    if (last === undefined || port !== undefined) keepAddress(federation.root, { port: address.port, token })
    place.hosts = [`127.0.0.1:${address.port}`, `localhost:${address.port}`]
    return {
      url: `http://127.0.0.1:${address.port}/${token}/`,
      close: () => close(server, view, streams),
    }
  } catch (error) {
    await close(server, view, streams)
    throw error
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

async function close(server: Server, view: FederationView, streams: EventStream): Promise<void> {
  view.close()
  streams.close()
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

interface PageFiles {
  readonly build: string
  readonly files: ReadonlyMap<string, { readonly type: string; readonly bytes: Buffer }>
}

function pageFiles(): PageFiles {
  const dir = path.join(packageRoot, 'dist', 'dashboard')
  const types = { 'page.js': 'text/javascript', 'page.css': 'text/css', 'index.html': 'text/html' }
  const files = new Map(
    Object.entries(types).map(([name, type]) => [
      name === 'index.html' ? '' : name,
      { type: `${type}; charset=utf-8`, bytes: readFileSync(path.join(dir, name)) },
    ]),
  )
  const hash = createHash('sha256')
  for (const { bytes } of files.values()) hash.update(bytes)
  return { build: hash.digest('hex').slice(0, 16), files }
}

/** What is where below the token. */
class Place {
  hosts: readonly string[] = []
  readonly #federation: Federation
  readonly #view: FederationView
  readonly #shown: ShownFederation
  readonly #files: PageFiles
  readonly #streams: EventStream
  readonly #token: Address['token']
  readonly #charts = new Charts()

  constructor(
    federation: Federation,
    view: FederationView,
    shown: ShownFederation,
    files: PageFiles,
    streams: EventStream,
    token: string,
  ) {
    this.#federation = federation
    this.#view = view
    this.#shown = shown
    this.#files = files
    this.#streams = streams
    this.#token = token
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(safeHeaders)) response.setHeader(name, value)
    try {
      const objection = objectionTo(request, this.hosts)
      const url = new URL(request.url ?? '/', 'http://127.0.0.1')
      const [, token = '', ...steps] = url.pathname.split('/')
      if (objection !== undefined) return refuse(response, 403, objection)
      if (!isToken(token, this.#token))
        return refuse(response, 403, "open the address that 'fed dashboard' printed: it holds a token")
      if (request.method === 'POST')
        return send(response, 200, await this.#act(steps, await readJson(request)))
      await this.#show(steps, url.searchParams, response)
    } catch (error) {
      if (error instanceof FedError) return refuse(response, statusOf(error), error.message)
      // nobody waits for an answer any more, or nothing better can be said
      refuse(response, 500, error instanceof Error ? error.message : String(error))
    }
  }

  async #act([address = '', name = '', ...more]: readonly string[], given: unknown) {
    const act = Object.hasOwn(acts, name) && more.length === 0 ? acts[name] : undefined
    if (act === undefined) throw new NotFoundError('there is nothing like that to do')
    try {
      return await act(this.#federation, address, given)
    } finally {
      this.#view.touch(address)
    }
  }

  async #show(steps: readonly string[], query: URLSearchParams, response: ServerResponse): Promise<void> {
    const [first = '', second = '', third = ''] = steps
    const file = steps.length === 1 ? this.#files.files.get(first) : undefined
    if (file !== undefined) {
      response.setHeader('content-type', file.type)
      response.end(file.bytes)
      return
    }
    if (first === 'events' && steps.length === 1) {
      this.#streams.open(response)
      this.#streams.tell('federation', this.#shown, response)
      this.#streams.tell('change', this.#view.whole(), response)
      return
    }
    if (first !== 'teams' || steps.length !== 3) throw new NotFoundError('there is no such page')
    send(response, 200, await this.#part(this.#view.view(second), third, query))
  }

  async #part(view: TeamView, part: string, query: URLSearchParams): Promise<unknown> {
    switch (part) {
      case 'chart':
        return this.#charts.of(view.team)
      case 'life':
        return view.life(numberIn(query, 'after', 0))
      case 'mail':
        return view.mail()
      case 'findings':
        return view.findings()
      case 'sessions':
        return view.sessions()
      case 'accepts':
        return view.accepts()
      case 'log': {
        const session = { mission: numberIn(query, 'mission', 1), number: numberIn(query, 'number', 1) }
        return view.log(session, numberIn(query, 'from', firstOfLog))
      }
      case 'deliverable':
        return (await showDeliverable(view.deliverableFile(numberIn(query, 'mission', 1)))) ?? null
      default:
        throw new NotFoundError('a team has no such part')
    }
  }
}

function numberIn(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name)
  if (text === null) return otherwise
  // it may become a part of a path
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`${name}: a whole number is meant`)
  return Number(text)
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

function send(response: ServerResponse, status: number, content: unknown): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(content))
}

function refuse(response: ServerResponse, status: number, error: string): void {
  if (response.headersSent) response.destroy()
  else send(response, status, { error })
}
