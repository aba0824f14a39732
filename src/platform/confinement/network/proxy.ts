import { createServer, request as requestOf, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { once, setMaxListeners } from 'node:events'
import { FedError } from '../../../errors/fed-error.ts'
import { unless } from '../../../errors/unless.ts'
import { connectionTo, PrivateAddressError, wayTo } from './way-to-host.ts'
import {
  headersOnward,
  hostText,
  requestTarget,
  tunnelTarget,
  type Destination,
  type Target,
} from './request-target.ts'
import { beginningOf } from './server-name.ts'

/** Largest head of a request, in bytes. */
const largestHead = 16_384
/** Time for a request's head, in milliseconds. */
const headMs = 15_000
/** Longest silence of both ends of a connection, in milliseconds: a model may think for long. */
const idleMs = 900_000
const mostConnections = 256
/** Most refused hosts that are told; who tries more is looking for a way. */
const mostTold = 50

/** What may be done with a host that may be reached. */
export interface Permission {
  /** Whether its address may be one of this machine or of a private network. */
  readonly mayBePrivate: boolean
  /** Whether a tunnel to it may hold something else than TLS for that very host. */
  readonly anyProtocol: boolean
}

/** A connection that was not made. */
export interface Refused extends Destination {
  readonly why: string
}

export interface ProxyRules {
  /** What may be done with a host; undefined for one that may not be reached. */
  readonly judge: (to: Destination) => Permission | undefined
  /** Gets each refused host and port once. */
  readonly onRefused: (refused: Refused) => void
}

export interface Proxy {
  /** Its port, where it listens at one. */
  readonly port: number | undefined
  /** Ends it and all that goes through it. */
  close(): void
}

/** A connection that stands. */
interface Opened extends Permission {
  readonly socket: Socket
  readonly destination: Destination
  readonly path: string
}

/** Why something was not done, for whoever asked: a status and words. */
interface Answer {
  readonly status: 400 | 403 | 502
  readonly words: string
}

/**
 * Starts a proxy for HTTP, and for anything else by CONNECT, that reaches what it is allowed to and nothing else.
 * Names are looked up here, once for each connection. It does not look into TLS, but reads for which host it is.
 * @param at path of the socket at which it listens, or a port of 127.0.0.1, of which 0 is any.
 * @throws the system's error when it cannot listen there.
 */
export async function startProxy(
  at: { readonly socket: string } | { readonly port: number },
  { judge, onRefused }: ProxyRules,
): Promise<Proxy> {
  const end = new AbortController()
  setMaxListeners(0, end.signal)
  const told = new Set<string>()
  const refuse = (to: Destination, why: string): Answer => {
    const name = hostText(to)
    if (!told.has(name) && told.size < mostTold) {
      told.add(name)
      onRefused({ ...to, why })
    }
    return { status: 403, words: `${name} is refused: ${why}` }
  }
  const open = async (to: Target): Promise<Opened | Answer> => {
    if (to.fault !== undefined) return { status: 400, words: to.fault }
    const permission = judge(to)
    if (permission === undefined) return refuse(to, 'it is not among the hosts that may be reached')
    try {
      const socket = await connectionTo(to, await wayTo(to, permission.mayBePrivate), end.signal)
      limitIdle(socket)
      return { ...permission, socket, destination: to, path: to.path }
    } catch (error) {
      if (error instanceof PrivateAddressError) return refuse(to, error.message)
      // where several addresses fail, the error has a code and no words
      if (error instanceof FedError || (error instanceof Error && 'code' in error))
        return {
          status: 502,
          words: `${hostText(to)}: ${error.message || String((error as NodeJS.ErrnoException).code)}`,
        }
      throw error
    }
  }

  const server = createServer({ maxHeaderSize: largestHead, headersTimeout: headMs, requestTimeout: 0 })
  server.maxConnections = mostConnections
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    limitIdle(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  })
  server.on('clientError', (_, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    else socket.destroy()
  })
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    // what comes meanwhile stays in the client's own buffers
    client.pause()
    if (head.length > 0) client.unshift(head)
    void tunnel(request, client)
  })
  server.on('request', (request, response) => void forward(request, response))

  async function tunnel(request: IncomingMessage, client: Socket): Promise<void> {
    const to = tunnelTarget(request)
    const opened = await open(to)
    if ('status' in opened) {
      const { status, words } = opened
      client.setTimeout(headMs).resume()
      client.end(
        `HTTP/1.1 ${status} ${words}\r\nContent-Length: ${Buffer.byteLength(words)}\r\nConnection: close\r\n\r\n${words}`,
      )
      return
    }
    const { socket, anyProtocol, destination } = opened
    if (client.destroyed) return void socket.destroy()
    keepTogether(client, socket)
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    socket.pipe(client)
    if (anyProtocol || (await isMeantFor(client, destination))) return void client.pipe(socket)
    refuse(destination, 'what was said there is no TLS for that host')
    client.destroy()
  }

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fail = (status: number, words: string) =>
      response.headersSent
        ? response.destroy()
        : response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${words}\n`)
    const to = requestTarget(request)
    const opened = await open(to)
    if ('status' in opened) return void fail(opened.status, opened.words)
    const { socket, destination } = opened
    if (response.destroyed) return void socket.destroy()
    const isChunked = request.headers['transfer-encoding'] !== undefined
    const onward = requestOf({
      createConnection: () => socket,
      ...{ method: request.method, path: opened.path, setHost: false },
      headers: [
        ...headersOnward(request),
        ...(isChunked ? ['Transfer-Encoding', 'chunked'] : []),
        ...['Connection', 'close'],
      ],
    })
    onward.on('response', (answer) => {
      answer.on('error', () => response.destroy())
      // a host may answer what no server of Node's may send
      const isSent = unless([RangeError, TypeError], () =>
        response.writeHead(answer.statusCode ?? 0, headersOnward(answer)),
      )
      if (isSent === undefined) return void fail(502, `${hostText(destination)} answers what is no HTTP`)
      answer.pipe(response)
    })
    onward.on('error', ({ message }) => fail(502, `${hostText(destination)}: ${message}`))
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  }

  server.listen('socket' in at ? at.socket : { host: '127.0.0.1', port: at.port })
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' ? address?.port : undefined,
    close() {
      server.close()
      end.abort()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function limitIdle(socket: Socket): void {
  socket.setTimeout(idleMs, () => socket.destroy())
}

/** Ends each of two connections when the other breaks; where one has only ended, the other goes on to its own end. */
function keepTogether(one: Socket, other: Socket): void {
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    a.on('error', () => b.destroy())
    a.on('close', () => {
      if (!a.readableEnded || !a.writableFinished) b.destroy()
    })
  }
}

/** Whether what a client says first is TLS for that host; what it said is there to be read again. */
function isMeantFor(client: Socket, { host }: Destination): Promise<boolean> {
  return new Promise((resolve) => {
    let said: Buffer = Buffer.alloc(0)
    const settle = (isMeant: boolean) => {
      client.off('readable', look).off('end', ended).off('close', ended)
      resolve(isMeant)
    }
    const ended = () => settle(false)
    const look = () => {
      for (let chunk = read(client); chunk !== null; chunk = read(client)) said = Buffer.concat([said, chunk])
      const beginning = beginningOf(said)
      if (beginning === 'unfinished') return
      client.unshift(said)
      // TLS for an address names none (RFC 6066 §3)
      const name = /^[\d.]+$|^\[/.test(host) ? undefined : host
      settle(typeof beginning !== 'string' && beginning.name === name)
    }
    client.on('readable', look).on('end', ended).on('close', ended)
    look()
  })
}

function read(client: Socket): Buffer | null {
  return client.read() as Buffer | null
}
