/**
 * The way out of walls that have a network of their own. It listens on their loopback interface, and hands on what
 * comes to the proxy that is outside, whose socket lies in here. It ends with the walls.
 *
 * Arguments: the socket; the port at which the proxy is found; then `host:port` of what the proxy reaches of the
 * machine outside, each found at the same port in here. Its standard output is closed when all of them listen.
 */
import { closeSync, openSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'

const [socket = '', port = '', ...forwarded] = process.argv.slice(2)

/** Longest answer of the proxy to a CONNECT, in bytes. */
const longestAnswer = 4096

function join(one: Socket, other: Socket): void {
  one.pipe(other)
  other.pipe(one)
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
}

function toProxy(client: Socket): void {
  join(client, connect({ path: socket, allowHalfOpen: true }))
}

/** For programs that never ask a proxy for what is on their own machine. */
function toHost(client: Socket, host: string): void {
  const outside = connect({ path: socket, allowHalfOpen: true })
  const giveUp = () => client.destroy()
  client.on('error', () => outside.destroy())
  outside.on('error', giveUp).on('close', giveUp)
  outside.write(`CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  let said = Buffer.alloc(0)
  outside.on('data', function read(chunk) {
    said = Buffer.concat([said, chunk])
    const end = said.indexOf('\r\n\r\n')
    if (end < 0 && said.length < longestAnswer) return
    if (end < 0 || !said.toString('latin1').startsWith('HTTP/1.1 200 ')) return void outside.destroy()
    outside.off('data', read).off('close', giveUp).pause()
    outside.unshift(said.subarray(end + 4))
    join(client, outside)
  })
}

// whoever asks the agent to end asks all of its group: it may still have something to say
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

let missing = 1 + forwarded.length
function listen(at: string, onClient: (client: Socket) => void): void {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, onClient)
  server.on('error', (error) => {
    process.stderr.write(`fed: the network of these walls: ${error.message}\n`)
    process.exit(1)
  })
  server.listen({ host: '127.0.0.1', port: Number(at) }, () => {
    missing -= 1
    if (missing > 0) return
    // whoever waits for its end goes on; its number must not become that of a connection
    closeSync(1)
    openSync('/dev/null', 'w')
  })
}
listen(port, toProxy)
for (const host of forwarded) listen(/\d+$/.exec(host)?.[0] ?? '', (client) => toHost(client, host))
