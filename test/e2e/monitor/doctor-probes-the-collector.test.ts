// Proves that the collector is judged by what it answers to the same request that exports send, and that none of its
// answers, nor none at all, holds the doctor up or makes it fail. It fails when a web page passes for a collector,
// silence for an error, or a password is shown.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { admit } from '../../../src/monitor/diagnosis/view.ts'
import { telemetryFindings } from '../../../src/apps/doctor/telemetry-checks.ts'
import { fed } from '../../support/fed.ts'
import { newFederation } from '../../support/federation.ts'

let root: string
const servers: Server[] = []

beforeAll(() => {
  root = newFederation()
})
// on a busy machine an answer takes its time
const patience = { OTEL_EXPORTER_OTLP_TIMEOUT: '20000' }
beforeEach(() => void vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', patience.OTEL_EXPORTER_OTLP_TIMEOUT))
afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

async function findingFor(endpoint: string, enabled = true) {
  const view = admit(root)
  const [finding, ...others] = await telemetryFindings({
    ...view,
    config: { ...view.config, telemetry: { enabled, collector: { endpoint } } },
  })
  expect(others).toEqual([])
  return finding
}

const answer =
  (status: number, type: string): RequestListener =>
  (request, response) => {
    const isAsked = request.method === 'POST' && request.url === '/v1/metrics'
    response.writeHead(isAsked ? status : 500, { 'content-type': type }).end('x')
  }

test.each<[number, string, string, string]>([
  [200, 'application/x-protobuf', 'ok', 'a collector takes metrics at'],
  [200, 'text/html; charset=utf-8', 'warning', 'is a web page, not a collector (200)'],
  [404, 'text/plain', 'warning', 'is a web page, not a collector (404)'],
  [405, 'text/plain', 'warning', 'is a web page, not a collector (405)'],
  [302, 'text/plain', 'warning', 'answers 302: it does not take metrics'],
  [400, 'text/plain', 'warning', 'answers 400: it does not take metrics'],
  [415, 'application/json', 'warning', 'answers 415: it does not take metrics'],
  [500, 'text/plain', 'warning', 'answers 500: it does not take metrics'],
])('%i with %s', async (status, type, severity, message) => {
  const port = await serve(answer(status, type))
  const finding = await findingFor(`http://127.0.0.1:${port}/`)
  expect(finding).toMatchObject({ severity, message: expect.stringContaining(message) })
  expect(finding?.message).toContain(`http://127.0.0.1:${port}`)
  if (message.includes('web page')) expect(finding?.fix).toContain('http://127.0.0.1:4318')
  else if (severity === 'warning') expect(finding?.fix).toBe('its own log says why')
})

describe('credentials', () => {
  const asked: IncomingMessage[] = []
  const guarded: RequestListener = (request, response) => {
    asked.push(request)
    const isKnown = request.headers['x-key'] === 'open' || request.headers.authorization !== undefined
    response.writeHead(isKnown ? 200 : 401).end()
  }

  test('that are missing are asked for, and sent where they are given', async () => {
    const endpoint = `http://127.0.0.1:${await serve(guarded)}`
    expect(await findingFor(endpoint)).toMatchObject({
      severity: 'warning',
      message: expect.stringContaining('does not take metrics from us (401)'),
      fix: expect.stringContaining('OTEL_EXPORTER_OTLP_HEADERS'),
    })
    vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-key=open')
    expect(await findingFor(endpoint)).toMatchObject({ severity: 'ok' })
  })

  test('in the endpoint are used and never shown', async () => {
    const port = await serve(guarded)
    writeFileSync(
      path.join(root, 'federate.config.json'),
      JSON.stringify({ telemetry: { collector: { endpoint: `http://me:se%40cret@127.0.0.1:${port}` } } }),
    )
    for (const args of [['doctor'], ['doctor', '--json']]) {
      const { stdout, stderr } = await fed(root, args, {
        env: { FED_TELEMETRY_ENABLED: 'true', ...patience },
      })
      expect(stdout).toContain(`a collector takes metrics at http://127.0.0.1:${port}`)
      expect(stdout + stderr).not.toMatch(/cret|me:/)
    }
    expect(asked.at(-1)?.headers.authorization).toBe(`Basic ${btoa('me:se@cret')}`)
  })

  test('are not shown where nobody listens', async () => {
    const { severity, message, fix } = (await findingFor('http://me:secret@127.0.0.1:1/')) ?? {}
    expect(severity).toMatch(/warning|note/)
    expect(`${message} ${fix}`).not.toContain('secret')
  })
})

test('nobody there is a note', async () => {
  const port = await serve(answer(200, ''))
  await new Promise((resolve) => {
    servers.pop()?.close(resolve)
  })
  expect(await findingFor(`http://127.0.0.1:${port}`)).toMatchObject({
    severity: 'note',
    message: expect.stringContaining('ECONNREFUSED'),
  })
})

test.each<[string, RequestListener]>([
  ['takes the request and never answers', () => undefined],
  ['begins an answer and never ends it', (_, response) => void response.writeHead(200).write('x')],
])('somebody who %s is a note', async (_, listener) => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_TIMEOUT', '500')
  const port = await serve(listener)
  expect(await findingFor(`http://127.0.0.1:${port}`)).toMatchObject({
    severity: 'note',
    message: expect.stringContaining('no answer in time'),
  })
})

test('one that takes longer is waited for as long as exports wait for it', async () => {
  const port = await serve((_, response) => {
    setTimeout(() => response.writeHead(200).end(), 1000)
  })
  expect(await findingFor(`http://127.0.0.1:${port}`)).toMatchObject({ severity: 'ok' })
})

test('telemetry that is off is fine', async () => {
  expect(await findingFor('http://127.0.0.1:1', false)).toMatchObject({ severity: 'ok', message: 'off' })
  vi.stubEnv('OTEL_SDK_DISABLED', 'true')
  expect(await findingFor('http://127.0.0.1:1')).toMatchObject({ severity: 'ok', message: 'off' })
})

test('where only traces are exported, they are what the collector is asked about', async () => {
  vi.stubEnv('OTEL_METRICS_EXPORTER', 'none')
  const port = await serve((request, response) =>
    response.writeHead(request.url === '/v1/traces' ? 200 : 400).end(),
  )
  expect(await findingFor(`http://127.0.0.1:${port}`)).toMatchObject({
    severity: 'ok',
    message: expect.stringContaining('takes traces'),
  })
})
