// Proves that whatever a collector does, a command ends as it would without, says at most one line of it, and
// leaves nothing open. It fails when an exit code or an output differs, or when a silent collector is waited for.
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import path from 'node:path'
import type { RequestListener } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CycleReport } from '../../../src/index.ts'
import { loadConfig } from '../../../src/records/config/load-config.ts'
import { telemetrySettings } from '../../../src/telemetry/settings.ts'
import { agent, fed, fedDone, newFederation, newFolder } from '../../support/fed.ts'
import { exportingTo, startReceiver, type Receiver } from '../../support/otlp-receiver.ts'
import { someOf } from '../../support/thorough.ts'

let receiver: Receiver
let root: string

beforeEach(async () => {
  receiver = await startReceiver()
  root = await newFederation({ docs: 'Explain the answer', site: undefined })
})
afterEach(() => receiver.close())

const factsOf = (stdout: string) => (JSON.parse(stdout) as CycleReport).teams
const advice =
  'start a collector there, correct OTEL_EXPORTER_OTLP_ENDPOINT, or set FED_TELEMETRY_ENABLED=false\n'
/** What is said instead where the time was over before anything was sent. */
const late =
  "telemetry: there was no time left to send it; 'fed monitor --watch' takes more beside its work\n"

async function monitored(env: Record<string, string>): Promise<string> {
  const without = await fed(root, ['monitor', '--json'])
  const { code, stdout, stderr } = await fed(root, ['monitor', '--json'], { env })
  expect([code, without.code]).toEqual([0, 0])
  expect(factsOf(stdout)).toEqual(factsOf(without.stdout))
  return stderr
}

const answers: Record<string, [RequestListener, string]> = {
  'a page that says 200': [
    (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello'),
    'a web page, 200',
  ],
  'nothing, ever': [() => undefined, 'no answer in time'],
  'half an answer': [
    (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('x'),
    'no answer in time',
  ],
  'a broken connection': [(request) => void request.socket.destroy(), 'ECONNRESET'],
  ...Object.fromEntries(
    [301, 400, 401, 404, 429, 500, 503].map((status) => [
      String(status),
      [(_request, response) => response.writeHead(status, { location: '/elsewhere' }).end(), String(status)],
    ]),
  ),
}

test.each(someOf(Object.keys(answers), 3))('a collector that answers: %s', async (name) => {
  const [answer, reason] = answers[name] as [RequestListener, string]
  await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')])
  receiver.answer = answer
  const isSilent = reason === 'no answer in time'
  const told = await monitored(exportingTo(receiver, isSilent ? 'impatient' : undefined))
  const nothing = `telemetry: nothing takes telemetry at ${receiver.endpoint} (${reason}); ${advice}`
  // on a busy machine its time may be over before anything is sent
  if (isSilent) expect([nothing, late]).toContain(told)
  else expect(told).toBe(nothing)
  if (told !== late) expect(receiver.requests.length).toBeGreaterThan(0)
  receiver.answer = undefined
  expect(await monitored(exportingTo(receiver))).toBe('')
  expect(receiver.spans).toHaveLength(6)
})

test('nobody listens', async () => {
  const { endpoint } = receiver
  await receiver.close()
  expect(await monitored(exportingTo({ endpoint }))).toBe(
    `telemetry: nothing takes telemetry at ${endpoint} (ECONNREFUSED); ${advice}`,
  )
  receiver = await startReceiver()
})

test('somebody listens and speaks no HTTP', async () => {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const silent = { endpoint: `http://127.0.0.1:${port}` }
  expect(await monitored(exportingTo(silent, 'impatient'))).toMatch(/no answer in time|no time left/)
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('who takes metrics and no traces is told once, and gets the metrics', async () => {
  await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')])
  receiver.answer = ({ url }, response) => response.writeHead(url === '/v1/metrics' ? 200 : 404).end()
  const stderr = await monitored(exportingTo(receiver))
  expect(stderr).toBe(
    `telemetry: ${receiver.endpoint} takes no traces (404); with OTEL_TRACES_EXPORTER=none it gets none\n`,
  )
  expect(await monitored(exportingTo(receiver))).toBe('')
})

test('a launch and its errors are the same', async () => {
  receiver.answer = () => undefined
  const env = exportingTo(receiver, 'impatient')
  const { code, stdout, stderr } = await fed(
    root,
    ['launch', '--team', 'docs', '--agent', agent('good'), '--quiet'],
    { env },
  )
  expect([code, stdout]).toEqual([0, expect.stringContaining('194 bytes')])
  expect(stderr).toBe('')
  const refused = await fed(root, ['launch', '--team', 'docs'], { env })
  expect([refused.code, refused.stderr.split('\n').length]).toEqual([5, 3])
  expect(refused.stderr).toContain('docs is complete')
})

test('an endpoint that nobody named is no matter to speak of', () => {
  const { telemetry } = loadConfig(root)
  expect(telemetrySettings(telemetry)).toMatchObject({ endpoint: 'http://localhost:18888', isChosen: false })
  const named = { ...telemetry, collector: { endpoint: receiver.endpoint } }
  expect(telemetrySettings(named)).toMatchObject({ isChosen: true })
})

test('telemetry that is off speaks to nobody', async () => {
  const on = exportingTo(receiver)
  await monitored({ ...on, FED_TELEMETRY_ENABLED: 'false' })
  await monitored({ ...on, OTEL_SDK_DISABLED: 'true' })
  await monitored({ ...on, OTEL_METRICS_EXPORTER: 'none', OTEL_TRACES_EXPORTER: 'none' })
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify({ telemetry: { enabled: false } }))
  await monitored({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, FED_TELEMETRY_ENABLED: '' })
  expect(receiver.requests).toEqual([])
})

test('headers go to the collector and nowhere else, names are what the environment says', async () => {
  const env = {
    ...exportingTo(receiver),
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20s3cret,bad name=x,x-broken=%0A',
    OTEL_SERVICE_NAME: 'our-teams',
  }
  expect(await monitored(env)).toBe('')
  expect(receiver.requests[0]?.headers).toMatchObject({
    authorization: 'Bearer s3cret',
    'content-type': 'application/x-protobuf',
  })
  expect(receiver.exports[0]?.[0]?.resource['service.name']).toBe('our-teams')
  receiver.answer = (_request, response) => response.writeHead(401).end()
  const { host } = new URL(receiver.endpoint)
  const stderr = await monitored({ ...env, OTEL_EXPORTER_OTLP_ENDPOINT: `http://user:s3cret@${host}/` })
  expect(stderr).toContain(`at http://${host} (401)`)
  expect(stderr).not.toContain('s3cret')
})

test('a damaged ledger is told in one line and left as it is', async () => {
  await monitored(exportingTo(receiver))
  const ledger = path.join(root, '.fed', 'telemetry.json')
  rmSync(ledger)
  writeFileSync(ledger, '{ "version": ')
  const stderr = await monitored(exportingTo(receiver))
  expect(stderr).toMatch(/^telemetry: \S+telemetry\.json is damaged \(.*telemetry begins anew\n$/)
})

const watched = ['status', 'inbox meta', 'history docs', 'send docs --type report --subject Hello', '--help']

test.each(watched)('fed %s loads nothing of it', async (command) => {
  const preload = path.join(newFolder('preload'), 'reads.cjs')
  writeFileSync(
    preload,
    `const fs = require('node:fs'), { readFileSync } = fs
fs.readFileSync = (file, ...rest) => {
  if (/chunks.(exporter|telemetry|reach)/.test(String(file))) fs.writeSync(2, 'loaded ' + file)
  return readFileSync(file, ...rest)
}`,
  )
  const env = { ...exportingTo(receiver), NODE_OPTIONS: `--require=${preload}` }
  expect(await fed(root, command.split(' '), { env })).toMatchObject({ code: 0, stderr: '' })
  expect(receiver.requests).toEqual([])
  if (command !== 'status') return
  // the trap catches what does load it
  expect((await fed(root, ['monitor'], { env })).stderr).toContain('loaded')
})
