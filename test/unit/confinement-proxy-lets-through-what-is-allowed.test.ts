// Proves that the proxy of walls passes on requests and tunnels to allowed hosts as they are, and nothing else: no second
// reading of a request, no other host behind an allowed name, no private address behind a public one. Fails when a server
// hears of a request that its host was not allowed for, or when memory grows with what nobody reads.
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { beginningOf } from '../../src/platform/confinement/network/server-name.ts'
import {
  startProxy,
  type Permission,
  type Proxy,
  type Refused,
} from '../../src/platform/confinement/network/proxy.ts'
import { newFolder } from '../support/federation.ts'
import { newServer, said, tunnelTo, type Heard } from '../support/raw-http.ts'
import { until } from '../support/until.ts'

const open: Permission = { mayBePrivate: true, anyProtocol: true }
const onlyPublic: Permission = { mayBePrivate: false, anyProtocol: false }

let heard: Heard
let at: string
let proxy: Proxy
let refused: Refused[]
let permissions: Record<string, Permission>

beforeEach(async () => {
  heard = await newServer()
  at = path.join(newFolder('net'), 's')
  refused = []
  permissions = { [`127.0.0.1:${heard.port}`]: open }
  proxy = await startProxy(
    { socket: at },
    {
      judge: ({ host, port }) => permissions[`${host}:${port}`],
      onRefused: (one) => refused.push(one),
    },
  )
})
afterEach(() => {
  proxy.close()
  heard.server.closeAllConnections()
  heard.server.close()
  vi.unstubAllEnvs()
})

const host = () => `127.0.0.1:${heard.port}`
const get = (target: string, ...headers: string[]) =>
  said(at, [`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))

describe('plain HTTP', () => {
  test('a request arrives as it was, without what is between neighbours, and its answer too', async () => {
    const answer = await said(
      at,
      [
        `POST http://${host()}/a%20b?c=d HTTP/1.1`,
        `Host: ${host()}`,
        ...['X-Own: 1', 'Connection: close, X-Near', 'X-Near: 1', 'Proxy-Authorization: Basic eDp5'],
        ...['Upgrade: h2c', 'HTTP2-Settings: AAA', 'TE: trailers', 'Content-Length: 5', '', 'hello'],
      ].join('\r\n'),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*x-served: here\r\n[^]*served \/a%20b\?c=d/)
    const [{ request, body } = {}] = heard.requests
    expect([request?.method, request?.url, body]).toEqual(['POST', '/a%20b?c=d', 'hello'])
    expect(Object.keys(request?.headers ?? {}).toSorted()).toEqual([
      ...['connection', 'content-length', 'host', 'x-own'],
    ])
  })

  test('a body in chunks is one body, also where none is usual', async () => {
    const parts = ['hello', 'GET /smuggled HTTP/1.1\r\nA: b\r\n\r\n', '']
    const chunks = parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('')
    const { length } = parts.join('')
    for (const method of ['POST', 'GET', 'DELETE']) {
      const head = [
        `${method} http://${host()}/ HTTP/1.1`,
        ...[`Host: ${host()}`, 'Transfer-Encoding: chunked', 'Connection: close', '', ''],
      ]
      await said(at, head.join('\r\n') + chunks)
    }
    expect(heard.requests.map(({ request, body }) => [request.method, request.url, body.length])).toEqual([
      ...[
        ['POST', '/', length],
        ['GET', '/', length],
        ['DELETE', '/', length],
      ],
    ])
  })

  test.each([
    ['a second Host', () => [`GET http://${host()}/ HTTP/1.1`, `Host: ${host()}`, 'Host: evil.test']],
    ['another Host', () => [`GET http://${host()}/ HTTP/1.1`, 'Host: evil.test']],
    ['no Host', () => [`GET http://${host()}/ HTTP/1.1`]],
    ['no Host in an old version', () => [`GET http://${host()}/ HTTP/1.0`]],
    ['a name in the URL', () => [`GET http://me@${host()}/ HTTP/1.1`, `Host: ${host()}`]],
    ['a password in the URL', () => [`GET http://:x@${host()}/ HTTP/1.1`, `Host: ${host()}`]],
    ['a path alone', () => ['GET / HTTP/1.1', `Host: ${host()}`]],
    ['a path of two hosts', () => [`GET //${host()}/ HTTP/1.1`, `Host: ${host()}`]],
    ['a star', () => ['OPTIONS * HTTP/1.1', `Host: ${host()}`]],
    ['https', () => [`GET https://${host()}/ HTTP/1.1`, `Host: ${host()}`]],
    ['another scheme', () => [`GET ftp://${host()}/ HTTP/1.1`, `Host: ${host()}`]],
    ['a backslash', () => [`GET http:\\\\${host()}/ HTTP/1.1`, `Host: ${host()}`]],
    [
      'two lengths',
      () => [`POST http://${host()}/ HTTP/1.1`, `Host: ${host()}`, 'Content-Length: 1', 'Content-Length: 2'],
    ],
    [
      'a length and chunks',
      () => [
        `POST http://${host()}/ HTTP/1.1`,
        ...[`Host: ${host()}`, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
      ],
    ],
    [
      'chunks of another kind',
      () => [`POST http://${host()}/ HTTP/1.1`, `Host: ${host()}`, 'Transfer-Encoding: xchunked'],
    ],
    ['a folded header', () => [`GET http://${host()}/ HTTP/1.1`, `Host: ${host()}`, 'A: b', ' c']],
    ['a space before the colon', () => [`GET http://${host()}/ HTTP/1.1`, `Host : ${host()}`]],
    ['a head that does not end', () => [`GET http://${host()}/ HTTP/1.1`, `A: ${'a'.repeat(20_000)}`]],
    ['CONNECT with a path', () => [`CONNECT ${host()}/x HTTP/1.1`, `Host: ${host()}`]],
    ['CONNECT with another Host', () => [`CONNECT ${host()} HTTP/1.1`, 'Host: evil.test:1']],
    ['CONNECT with two Hosts', () => [`CONNECT ${host()} HTTP/1.1`, `Host: ${host()}`, `Host: ${host()}`]],
    ['CONNECT without a port', () => ['CONNECT 127.0.0.1 HTTP/1.1', 'Host: 127.0.0.1']],
    ['CONNECT with a name', () => [`CONNECT me@${host()} HTTP/1.1`, `Host: ${host()}`]],
    ['CONNECT to a URL', () => [`CONNECT http://${host()} HTTP/1.1`, `Host: ${host()}`]],
    ['no HTTP', () => ['\x16\x03\x01\x00']],
  ])('%s is refused, and nobody hears of it', async (_, lines) => {
    const answer = await said(at, [...lines(), 'Connection: close', '', ''].join('\r\n'))
    expect(answer).toMatch(/^HTTP\/1\.1 (?:400|431) /)
    expect(heard.requests).toEqual([])
  })

  test('of two requests in one piece, each is looked at', async () => {
    const first = `GET http://${host()}/1 HTTP/1.1\r\nHost: ${host()}\r\n\r\n`
    const second = 'GET http://evil.test/2 HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n'
    const answer = await said(at, first + second)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403'])
    expect(heard.requests).toHaveLength(1)
  })

  test('a host that answers what nobody may say is no fault of the proxy', async () => {
    const odd = createServer((socket) => socket.end('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'))
    odd.listen(0, '127.0.0.1')
    await once(odd, 'listening')
    const { port } = odd.address() as { port: number }
    permissions[`127.0.0.1:${port}`] = open
    const answer = await get(`http://127.0.0.1:${port}/`, `Host: 127.0.0.1:${port}`)
    odd.close()
    expect(answer).toMatch(/^HTTP\/1\.1 502 /)
    expect(await get(`http://${host()}/`, `Host: ${host()}`)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('what may not be reached', () => {
  test('it is refused, and told once for each host and port, up to a number', async () => {
    for (const name of ['evil.test', 'evil.test', 'evil.test:8080'])
      expect(await get(`http://${name}/`, `Host: ${name}`)).toMatch(/^HTTP\/1\.1 403 /)
    expect(await said(at, 'CONNECT evil.test:80 HTTP/1.1\r\nHost: evil.test:80\r\n\r\n')).toMatch(/ 403 /)
    expect(refused.map((one) => `${one.host}:${one.port}`)).toEqual(['evil.test:80', 'evil.test:8080'])
    for (let one = 0; one < 60; one += 1) await get(`http://h${one}.test/`, `Host: h${one}.test`)
    expect(refused).toHaveLength(50)
  })

  test.each(['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'LOCALHOST.'])(
    '%s is a private address, whatever allows its name',
    async (name) => {
      const { hostname } = new URL(`http://${name}`)
      permissions[`${hostname.replace(/\.$/, '')}:${heard.port}`] = onlyPublic
      const to = `${name}:${heard.port}`
      const answer = await said(at, `CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 403 .* is no public address/)
      expect(refused).toHaveLength(1)
    },
  )

  test('where nobody listens, that is said', async () => {
    permissions['127.0.0.1:1'] = open
    expect(
      await said(
        at,
        'CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n'.replace('\r\n\r\n', '\r\nHost: 127.0.0.1:1\r\n\r\n'),
      ),
    ).toMatch(/^HTTP\/1\.1 502 .*ECONNREFUSED/)
    expect(refused).toEqual([])
  })
})

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
    permissions[to] = open
    const tunnel = await tunnelTo(at, to)
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
    permissions[host()] = { mayBePrivate: true, anyProtocol: false }
    const connections: Socket[] = []
    heard.server.on('connection', (socket: Socket) => connections.push(socket))
    const tunnel = await tunnelTo(at, host())
    tunnel.on('error', () => undefined).resume()
    tunnel.write(await words())
    await once(tunnel, 'end')
    expect(refused.map(({ why }) => why)).toEqual(['what was said there is no TLS for that host'])
    await until('the end of it', () => connections[0]?.destroyed || undefined)
    expect([heard.requests, connections[0]?.bytesRead]).toEqual([[], 0])
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
    permissions[to] = open
    const tunnel = await tunnelTo(at, to)
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

test('its end is the end of all that goes through it', async () => {
  const connections: Socket[] = []
  heard.server.on('connection', (socket: Socket) => connections.push(socket))
  const tunnel = await tunnelTo(at, host())
  tunnel.on('error', () => undefined).resume()
  proxy.close()
  await once(tunnel, 'end')
  await until('the end of it', () => connections[0]?.destroyed || undefined)
})

test("the person's own proxy is asked, with its password, and names are looked up there", async () => {
  const asked: [string | undefined, string | undefined][] = []
  const own = await newServer()
  own.server.on('connect', (request, client: Socket) => {
    asked.push([request.url, request.headers['proxy-authorization']])
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    client.on('data', (chunk) => client.write(chunk))
  })
  vi.stubEnv('HTTPS_PROXY', `http://me:p%40ss@127.0.0.1:${own.port}`)
  vi.stubEnv('NO_PROXY', 'direct.test')
  permissions['only-there.test:4433'] = open
  const tunnel = await tunnelTo(at, 'only-there.test:4433')
  tunnel.write('echo')
  expect(String((await once(tunnel, 'data'))[0])).toBe('echo')
  expect(asked).toEqual([['only-there.test:4433', `Basic ${Buffer.from('me:p@ss').toString('base64')}`]])
  // nobody else's proxy is asked for what is on this machine
  ;(await tunnelTo(at, host())).destroy()
  expect(asked).toHaveLength(1)
  tunnel.destroy()
  own.server.closeAllConnections()
  own.server.close()
})
