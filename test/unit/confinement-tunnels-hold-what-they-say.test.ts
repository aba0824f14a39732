// Proves that a tunnel of the proxy of walls carries bytes as they are, and to no other host than it said: TLS is read for
// which host it is. Fails when something else goes through, or when memory grows with what nobody reads.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { beginningOf } from '../../src/platform/confinement/network/server-name.ts'
import { tunnelTo } from '../support/raw-http.ts'
import { open, proxyForEach } from '../support/tested-proxy.ts'
import { until } from '../support/until.ts'

const its = proxyForEach()

/** What a TLS client says first, for a server's name. */
async function helloFor(servername: string | undefined): Promise<Buffer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connectTls({ port, host: '127.0.0.1', ...(servername === undefined ? {} : { servername }) })
  client.on('error', () => undefined)
  const [socket] = (await once(server, 'connection')) as [Socket]
  const [hello] = (await once(socket, 'data')) as [Buffer]
  client.destroy()
  socket.destroy()
  server.close()
  return hello
}

/** The same message in records of so many bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5)
  const records: Buffer[] = []
  for (let from = 0; from < message.length; from += size) {
    const part = message.subarray(from, from + size)
    records.push(Buffer.from([0x16, 3, 1, part.length >> 8, part.length & 255]), part)
  }
  return Buffer.concat(records)
}

describe('tunnels', () => {
  test('bytes go both ways, and one end may end before the other', async () => {
    const echo = createServer({ allowHalfOpen: true }, (socket) => {
      let all = ''
      socket.on('data', (chunk: Buffer) => (all += chunk.toString()))
      socket.on('end', () => socket.end(all.toUpperCase()))
    })
    echo.listen(0, '127.0.0.1')
    await once(echo, 'listening')
    const to = `127.0.0.1:${(echo.address() as { port: number }).port}`
    its.permissions[to] = open
    const tunnel = await tunnelTo(its.at, to)
    tunnel.end('hello')
    const [answer] = (await once(tunnel, 'data')) as [Buffer]
    echo.close()
    expect(answer.toString()).toBe('HELLO')
  })

  test.each([
    ['for its host', 'allowed.test', true],
    ['for another', 'evil.test', false],
    ['for none', undefined, false],
  ])('TLS %s passes: %s, %s', async (_, servername, passes) => {
    const hello = await helloFor(servername)
    for (const [bytes, name] of [
      [hello, 'whole'],
      [inRecords(hello, 7), 'in records'],
    ] as const)
      expect([name, beginningOf(bytes)]).toEqual([name, { name: servername }])
    expect(passes).toBe(servername === 'allowed.test')
    // cut anywhere, it is not judged
    for (let length = 0; length < hello.length; length += 1)
      expect(beginningOf(hello.subarray(0, length))).toBe('unfinished')
  })

  test.each([
    ['another name', () => helloFor('evil.test')],
    ['plain words', () => Promise.resolve(Buffer.from('GET / HTTP/1.1\r\nHost: evil.test\r\n\r\n'))],
  ])('behind an address whose protocol nobody opened, %s do not arrive', async (_, words) => {
    its.permissions[its.host()] = { mayBePrivate: true, anyProtocol: false }
    const connections: Socket[] = []
    its.heard.server.on('connection', (socket: Socket) => connections.push(socket))
    const tunnel = await tunnelTo(its.at, its.host())
    tunnel.on('error', () => undefined).resume()
    tunnel.write(await words())
    await once(tunnel, 'end')
    expect(its.refused.map(({ why }) => why)).toEqual(['what was said there is no TLS for that host'])
    await until('the end of it', () => connections[0]?.destroyed || undefined)
    expect([its.heard.requests, connections[0]?.bytesRead]).toEqual([[], 0])
  })

  test('who does not read holds up whoever writes', async () => {
    let written = 0
    const source = createServer((socket) => {
      const more = () => {
        while (socket.write(Buffer.alloc(65_536))) written += 65_536
      }
      socket.on('drain', more).on('error', () => undefined)
      more()
    })
    source.listen(0, '127.0.0.1')
    await once(source, 'listening')
    const to = `127.0.0.1:${(source.address() as { port: number }).port}`
    its.permissions[to] = open
    const tunnel = await tunnelTo(its.at, to)
    tunnel.pause()
    let before = -1
    await until('it to be held up', () => {
      const stands = written === before
      before = written
      return stands || undefined
    })
    expect(written).toBeLessThan(32_000_000)
    tunnel.destroy()
    source.close()
  })
})
