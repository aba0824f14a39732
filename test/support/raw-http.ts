import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'

/** Says something to a proxy at a socket, byte for byte, and reads all that it answers until it ends. */
export async function said(at: string, words: string | Buffer): Promise<string> {
  const socket = connect(at)
  socket.write(words)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  await once(socket, 'close')
  return answer
}

/** A server of HTTP at a port of 127.0.0.1, which keeps what it was asked. */
export interface Heard {
  readonly server: Server
  readonly port: number
  readonly requests: { readonly request: IncomingMessage; readonly body: string }[]
}

export async function newServer(): Promise<Heard> {
  const requests: Heard['requests'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      requests.push({ request, body })
      response.setHeader('x-served', 'here').end(`served ${request.url}`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port, requests }
}

/** Opens a tunnel by CONNECT, and returns it once the proxy says that it stands. */
export async function tunnelTo(at: string, to: string): Promise<Socket> {
  const socket = connect({ path: at, allowHalfOpen: true })
  socket.write(`CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`)
  const [first] = (await once(socket, 'data')) as [Buffer]
  if (!first.toString().startsWith('HTTP/1.1 200')) throw new Error(first.toString())
  return socket
}
