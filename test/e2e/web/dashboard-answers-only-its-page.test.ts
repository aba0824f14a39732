// Proves that the dashboard listens on this machine alone and answers nobody who does not know its token, comes
// by another name, or is another site; and that what it is told to do is checked. Fails when a guard is missing.
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveDashboard, type Dashboard } from '../../../src/apps/web/dashboard/dashboard-server.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { fed, newFederation } from '../../support/fed.ts'

let root: string
let dashboard: Dashboard
let url: URL
beforeAll(async () => {
  root = await newFederation({ docs: 'Cover the storage' })
  dashboard = await serveDashboard(new Federation(root))
  url = new URL(dashboard.url)
})
afterAll(() => dashboard.close())

interface Asked {
  readonly place?: string
  readonly method?: string
  readonly headers?: IncomingHttpHeaders
  readonly body?: string
}

function ask({ place = url.pathname, method = 'GET', headers = {}, body }: Asked) {
  const { hostname, port } = url
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    const asked = request({ hostname, port, path: place, method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
    })
    asked.on('error', reject).end(body)
  })
}

const own = () => ({ origin: url.origin, 'content-type': 'application/json' })
const pause = (headers: IncomingHttpHeaders, body = '{}') =>
  ask({ place: `${url.pathname}docs/pause`, method: 'POST', headers, body })

test('it is there for this machine only, and says so to browsers', async () => {
  expect(url.hostname).toBe('127.0.0.1')
  const { status, headers } = await ask({})
  expect(status).toBe(200)
  expect(headers['content-security-policy']).toMatch(
    /default-src 'none'.*frame-src 'self'.*frame-ancestors 'none'/,
  )
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('what draws a diagram has an origin of its own, and may ask nobody for anything', async () => {
  const place = `${url.pathname}diagram.html`
  const { status, headers } = await ask({ place })
  expect([status, headers['x-frame-options']]).toEqual([200, 'SAMEORIGIN'])
  const policy = Object.fromEntries(
    String(headers['content-security-policy'])
      .split('; ')
      .map((each) => [each.split(' ')[0], each.split(' ').slice(1).join(' ')]),
  )
  expect(policy).toEqual({
    'default-src': "'none'",
    'script-src': expect.stringMatching(/^'sha256-[\w+/]{43}='$/),
    'style-src': "'unsafe-inline'",
    'img-src': 'data:',
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'self'",
    sandbox: 'allow-scripts',
  })
  const asFrame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }
  expect((await ask({ place, headers: { ...asFrame, 'sec-fetch-site': 'same-origin' } })).status).toBe(200)
  expect((await ask({ place, headers: { ...asFrame, 'sec-fetch-site': 'cross-site' } })).status).toBe(403)
})

describe('what is refused', () => {
  const site = { origin: 'http://example.org' }
  test.each<[string, () => Asked]>([
    ['no token', () => ({ place: '/' })],
    ['no path', () => ({ place: '//' })],
    ['a wrong token', () => ({ place: `/${'x'.repeat(43)}/` })],
    ['a token that only begins so', () => ({ place: `${url.pathname.slice(0, -5)}/` })],
    ['a name that leads here', () => ({ headers: { host: `example.org:${url.port}` } })],
    ['another port', () => ({ headers: { host: '127.0.0.1:1' } })],
    ['another site', () => ({ headers: site })],
    [
      'a frame of another site',
      () => ({ headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' } }),
    ],
  ])('%s', async (_, asked) => {
    const { status, text } = await ask(asked())
    expect(status).toBe(403)
    expect(text).not.toContain(url.pathname.slice(1, -1))
  })

  test.each<[string, () => IncomingHttpHeaders]>([
    ['nobody says who asks', () => ({ 'content-type': 'application/json' })],
    ['another site asks', () => ({ ...own(), ...site })],
    ['a form asks', () => ({ ...own(), 'content-type': 'text/plain' })],
    ['a link asks', () => ({ ...own(), 'sec-fetch-site': 'cross-site' })],
  ])('to act, when %s', async (_, headers) => {
    expect((await pause(headers())).status).toBe(403)
    expect((await (await new Federation(root).team('docs')).status()).state).toBe('preparing')
  })

  test('what is no JSON, has other fields, or is for nobody', async () => {
    expect((await pause(own(), '{')).status).toBe(400)
    expect((await pause(own(), '{"force":true}')).status).toBe(400)
    const to = (place: string) =>
      ask({ place: url.pathname + place, method: 'POST', headers: own(), body: '{}' })
    expect((await to('nobody/pause')).status).toBe(404)
    expect((await to('docs/retire')).status).toBe(404)
    expect((await to('docs/constructor')).status).toBe(404)
    const { status, text } = await to('docs/resume')
    expect([status, JSON.parse(text).error]).toEqual([409, expect.stringContaining('not paused')])
  })

  test('a way out of what is shown', async () => {
    for (const place of [
      '..%2f..%2fetc%2fpasswd',
      'teams/..%2f..%2fdocs/life',
      'teams/docs/log?mission=..%2f1',
    ])
      expect([400, 404]).toContain((await ask({ place: url.pathname + place })).status)
  })
})

test('a link from elsewhere opens the page, and only that', async () => {
  const headers = {
    'sec-fetch-site': 'cross-site',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  }
  expect((await ask({ headers })).status).toBe(200)
})

test('the address is kept for its owner alone, and a file that others may read is not believed', async () => {
  const file = path.join(root, '.fed', 'dashboard', 'address.json')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { token } = JSON.parse(readFileSync(file, 'utf8')) as { token: string }
  expect(url.pathname).toBe(`/${token}/`)
  chmodSync(file, 0o644)
  const second = await serveDashboard(new Federation(root))
  expect(new URL(second.url).pathname).not.toBe(url.pathname)
  await second.close()
  writeFileSync(file, 'no JSON')
})

test('a port that is taken is told in one line', async () => {
  const { code, stderr } = await fed(root, ['dashboard', '--port', url.port])
  expect([code, stderr.trim().split('\n')]).toEqual([2, [expect.stringContaining('is taken')]])
})
