// Proves that the proxy of walls passes on requests to allowed hosts as they are, and nothing else: no second reading of a
// request, and no private address behind a public name. Fails when a server hears of a request that its host was not
// allowed for.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import type { Permission } from '../../src/platform/confinement/network/proxy.ts'
import { newServer, said, tunnelTo } from '../support/raw-http.ts'
import { open, proxyForEach } from '../support/tested-proxy.ts'
import { until } from '../support/until.ts'

const onlyPublic: Permission = { mayBePrivate: false, anyProtocol: false }
const its = proxyForEach()
const get = (target: string, ...headers: string[]) =>
  said(its.at, [`GET ${target} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'))

describe('plain HTTP', () => {
  test('a request arrives as it was, without what is between neighbours, and its answer too', async () => {
    const answer = await said(
      its.at,
      [
        `POST http://${its.host()}/a%20b?c=d HTTP/1.1`,
        `Host: ${its.host()}`,
        ...['X-Own: 1', 'Connection: close, X-Near', 'X-Near: 1', 'Proxy-Authorization: Basic eDp5'],
        ...['Upgrade: h2c', 'HTTP2-Settings: AAA', 'TE: trailers', 'Content-Length: 5', '', 'hello'],
      ].join('\r\n'),
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*x-served: here\r\n[^]*served \/a%20b\?c=d/)
    const [{ request, body } = {}] = its.heard.requests
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
        `${method} http://${its.host()}/ HTTP/1.1`,
        ...[`Host: ${its.host()}`, 'Transfer-Encoding: chunked', 'Connection: close', '', ''],
      ]
      await said(its.at, head.join('\r\n') + chunks)
    }
    expect(its.heard.requests.map(({ request, body }) => [request.method, request.url, body.length])).toEqual(
      [
        ...[
          ['POST', '/', length],
          ['GET', '/', length],
          ['DELETE', '/', length],
        ],
      ],
    )
  })

  test.each([
    ['a second Host', () => [`GET http://${its.host()}/ HTTP/1.1`, `Host: ${its.host()}`, 'Host: evil.test']],
    ['another Host', () => [`GET http://${its.host()}/ HTTP/1.1`, 'Host: evil.test']],
    ['no Host', () => [`GET http://${its.host()}/ HTTP/1.1`]],
    ['no Host in an old version', () => [`GET http://${its.host()}/ HTTP/1.0`]],
    ['a name in the URL', () => [`GET http://me@${its.host()}/ HTTP/1.1`, `Host: ${its.host()}`]],
    ['a password in the URL', () => [`GET http://:x@${its.host()}/ HTTP/1.1`, `Host: ${its.host()}`]],
    ['a path alone', () => ['GET / HTTP/1.1', `Host: ${its.host()}`]],
    ['a path of two hosts', () => [`GET //${its.host()}/ HTTP/1.1`, `Host: ${its.host()}`]],
    ['a star', () => ['OPTIONS * HTTP/1.1', `Host: ${its.host()}`]],
    ['https', () => [`GET https://${its.host()}/ HTTP/1.1`, `Host: ${its.host()}`]],
    ['another scheme', () => [`GET ftp://${its.host()}/ HTTP/1.1`, `Host: ${its.host()}`]],
    ['a backslash', () => [`GET http:\\\\${its.host()}/ HTTP/1.1`, `Host: ${its.host()}`]],
    [
      'two lengths',
      () => [
        `POST http://${its.host()}/ HTTP/1.1`,
        `Host: ${its.host()}`,
        'Content-Length: 1',
        'Content-Length: 2',
      ],
    ],
    [
      'a length and chunks',
      () => [
        `POST http://${its.host()}/ HTTP/1.1`,
        ...[`Host: ${its.host()}`, 'Content-Length: 4', 'Transfer-Encoding: chunked'],
      ],
    ],
    [
      'chunks of another kind',
      () => [`POST http://${its.host()}/ HTTP/1.1`, `Host: ${its.host()}`, 'Transfer-Encoding: xchunked'],
    ],
    ['a folded header', () => [`GET http://${its.host()}/ HTTP/1.1`, `Host: ${its.host()}`, 'A: b', ' c']],
    ['a space before the colon', () => [`GET http://${its.host()}/ HTTP/1.1`, `Host : ${its.host()}`]],
    ['a head that does not end', () => [`GET http://${its.host()}/ HTTP/1.1`, `A: ${'a'.repeat(20_000)}`]],
    ['CONNECT with a path', () => [`CONNECT ${its.host()}/x HTTP/1.1`, `Host: ${its.host()}`]],
    ['CONNECT with another Host', () => [`CONNECT ${its.host()} HTTP/1.1`, 'Host: evil.test:1']],
    [
      'CONNECT with two Hosts',
      () => [`CONNECT ${its.host()} HTTP/1.1`, `Host: ${its.host()}`, `Host: ${its.host()}`],
    ],
    ['CONNECT without a port', () => ['CONNECT 127.0.0.1 HTTP/1.1', 'Host: 127.0.0.1']],
    ['CONNECT with a name', () => [`CONNECT me@${its.host()} HTTP/1.1`, `Host: ${its.host()}`]],
    ['CONNECT to a URL', () => [`CONNECT http://${its.host()} HTTP/1.1`, `Host: ${its.host()}`]],
    ['no HTTP', () => ['\x16\x03\x01\x00']],
  ])('%s is its.refused, and nobody hears of it', async (_, lines) => {
    const answer = await said(its.at, [...lines(), 'Connection: close', '', ''].join('\r\n'))
    expect(answer).toMatch(/^HTTP\/1\.1 (?:400|431) /)
    expect(its.heard.requests).toEqual([])
  })

  test('of two requests in one piece, each is looked at', async () => {
    const first = `GET http://${its.host()}/1 HTTP/1.1\r\nHost: ${its.host()}\r\n\r\n`
    const second = 'GET http://evil.test/2 HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n'
    const answer = await said(its.at, first + second)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403'])
    expect(its.heard.requests).toHaveLength(1)
  })

  test('a host that answers what nobody may say is no fault of the proxy', async () => {
    const odd = createServer((socket) => socket.end('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'))
    odd.listen(0, '127.0.0.1')
    await once(odd, 'listening')
    const { port } = odd.address() as { port: number }
    its.permissions[`127.0.0.1:${port}`] = open
    const answer = await get(`http://127.0.0.1:${port}/`, `Host: 127.0.0.1:${port}`)
    odd.close()
    expect(answer).toMatch(/^HTTP\/1\.1 502 /)
    expect(await get(`http://${its.host()}/`, `Host: ${its.host()}`)).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('what may not be reached', () => {
  test('it is its.refused, and told once for each host and port, up to a number', async () => {
    for (const name of ['evil.test', 'evil.test', 'evil.test:8080'])
      expect(await get(`http://${name}/`, `Host: ${name}`)).toMatch(/^HTTP\/1\.1 403 /)
    expect(await said(its.at, 'CONNECT evil.test:80 HTTP/1.1\r\nHost: evil.test:80\r\n\r\n')).toMatch(/ 403 /)
    expect(its.refused.map((one) => `${one.host}:${one.port}`)).toEqual(['evil.test:80', 'evil.test:8080'])
    for (let one = 0; one < 60; one += 1) await get(`http://h${one}.test/`, `Host: h${one}.test`)
    expect(its.refused).toHaveLength(50)
  })

  test.each(['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'LOCALHOST.'])(
    '%s is a private address, whatever allows its name',
    async (name) => {
      const { hostname } = new URL(`http://${name}`)
      its.permissions[`${hostname.replace(/\.$/, '')}:${its.heard.port}`] = onlyPublic
      const to = `${name}:${its.heard.port}`
      const answer = await said(its.at, `CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 403 .* is no public address/)
      expect(its.refused).toHaveLength(1)
    },
  )

  test('where nobody listens, that is said', async () => {
    its.permissions['127.0.0.1:1'] = open
    expect(
      await said(
        its.at,
        'CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n'.replace('\r\n\r\n', '\r\nHost: 127.0.0.1:1\r\n\r\n'),
      ),
    ).toMatch(/^HTTP\/1\.1 502 .*ECONNREFUSED/)
    expect(its.refused).toEqual([])
  })
})

test('its end is the end of all that goes through it', async () => {
  const connections: Socket[] = []
  its.heard.server.on('connection', (socket: Socket) => connections.push(socket))
  const tunnel = await tunnelTo(its.at, its.host())
  tunnel.on('error', () => undefined).resume()
  its.proxy.close()
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
  its.permissions['only-there.test:4433'] = open
  const tunnel = await tunnelTo(its.at, 'only-there.test:4433')
  tunnel.write('echo')
  expect(String((await once(tunnel, 'data'))[0])).toBe('echo')
  expect(asked).toEqual([['only-there.test:4433', `Basic ${Buffer.from('me:p@ss').toString('base64')}`]])
  // nobody else's proxy is asked for what is on this machine
  ;(await tunnelTo(its.at, its.host())).destroy()
  expect(asked).toHaveLength(1)
  tunnel.destroy()
  own.server.closeAllConnections()
  own.server.close()
})
