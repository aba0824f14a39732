// Proves that the collector is judged by what it answers, and that none of its answers, nor none at all, holds
// the doctor up or makes it fail. It fails when a web page passes for a collector, or silence for an error.
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { admit } from '../src/doctor/patient.ts'
import { telemetryFindings } from '../src/doctor/telemetry.ts'
import { newFederation } from './support/federation.ts'

let root: string
const servers: Server[] = []

beforeAll(() => {
  root = newFederation()
})
afterEach(() => {
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
  const patient = admit(root)
  const [finding, ...others] = await telemetryFindings({
    ...patient,
    config: { ...patient.config, telemetry: { enabled, collector: { endpoint } } },
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

test.each<[number, string, string]>([
  [200, 'application/x-protobuf', 'ok'],
  [400, 'application/x-protobuf', 'ok'],
  [415, 'application/json', 'ok'],
  [200, 'text/html; charset=utf-8', 'warning'],
  [404, 'text/plain', 'warning'],
  [405, 'text/plain', 'warning'],
  [500, 'text/plain', 'warning'],
])('%i with %s', async (status, type, severity) => {
  const port = await serve(answer(status, type))
  const finding = await findingFor(`http://127.0.0.1:${port}/`)
  expect(finding).toMatchObject({ severity, message: expect.stringContaining(`(${status})`.slice(1, -1)) })
  if (severity === 'warning') expect(finding?.fix).toContain('http://127.0.0.1:4318')
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

test('somebody who takes the request and never answers is a note', async () => {
  const port = await serve(() => undefined)
  expect(await findingFor(`http://127.0.0.1:${port}`)).toMatchObject({
    severity: 'note',
    message: expect.stringContaining('no answer in 500 ms'),
  })
})

test('what is no HTTP address is a warning, and telemetry that is off is fine', async () => {
  expect(await findingFor('grpc://127.0.0.1:4317')).toMatchObject({ severity: 'warning' })
  expect(await findingFor('localhost')).toMatchObject({ severity: 'warning' })
  expect(await findingFor('http://127.0.0.1:1', false)).toMatchObject({ severity: 'ok', message: 'off' })
})
