// Proves that each thing is counted once, however many processes look, whatever is moved, and that what a
// collector missed it gets when it is back. It fails when a look counts again, loses, or begins a series anew.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { agent, fed, fedDone, fedJson, newFederation, startFed, workspaceOf } from '../../support/fed.ts'
import { exportingTo, latest, startReceiver, type Receiver } from '../../support/otlp-receiver.ts'
import { recordUsage } from '../../support/session-record.ts'
import { until } from '../../support/until.ts'

let receiver: Receiver
let root: string

beforeEach(async () => {
  receiver = await startReceiver()
  root = await newFederation({ docs: 'Explain the answer' })
})
afterEach(() => receiver.close())

const exporting = () => exportingTo(receiver)
const launch = (...args: string[]) =>
  fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good'), ...args])
const monitor = () => fedDone(root, ['monitor'], { env: exporting() })

/** The last values of one metric, by the values of its attributes. */
async function counted(metric: string): Promise<Record<string, number>> {
  await monitor()
  return Object.fromEntries(
    Object.entries(latest(receiver.exports.at(-1) ?? [], metric)).map(([series, { value }]) => [
      series,
      value,
    ]),
  )
}

const traced = () => receiver.spans.map(({ trace, id }) => `${trace} ${id}`)

test('what agents used up, by agent, once, with the names of the conventions on the span of the session', async () => {
  const { sessions } = workspaceLayout(workspaceOf(root, 'docs'))
  const now = new Date().toISOString()
  recordUsage(sessions, { mission: 1, number: 1, agent: 'claude' }, [[now, { tokens: 1200, cost: 0.42 }]])
  await monitor()
  recordUsage(sessions, { mission: 1, number: 2, agent: 'my-own --secret' }, [[now, { tokens: 300 }]])
  await Promise.all([monitor(), monitor()])
  expect(await counted('fed.tokens')).toEqual({
    'docs deliverable claude': 1200,
    'docs deliverable custom': 300,
  })
  expect(await counted('fed.cost')).toEqual({ 'docs deliverable claude': 0.42 })
  expect(receiver.spans.find(({ attributes }) => attributes['gen_ai.agent.name'] === 'claude')).toMatchObject(
    {
      attributes: {
        'gen_ai.conversation.id': 'a-session',
        'gen_ai.response.model': 'opus',
        'fed.tokens': 1200,
        'fed.cost': 0.42,
      },
    },
  )
})

test('six monitors at once and one after them', async () => {
  await launch()
  await Promise.all(Array.from({ length: 6 }, monitor))
  expect(await counted('fed.transitions')).toEqual({
    'docs deliverable preparing scanning': 1,
    'docs deliverable scanning distilling': 1,
    'docs deliverable distilling aggregating': 1,
    'docs deliverable aggregating complete': 1,
  })
  expect(receiver.spans).toHaveLength(6)
  expect(new Set(traced()).size).toBe(6)
  const exports = receiver.exports.toSorted((a, b) => (a[0]?.time ?? 0) - (b[0]?.time ?? 0))
  const identities = exports.flat().map(({ resource, start }) => JSON.stringify([resource, start]))
  // each sends at least once, when it ends
  expect(exports.length).toBeGreaterThanOrEqual(7)
  expect(new Set(identities).size).toBe(1)
  expect(new Set(exports.map(([point]) => point?.time)).size).toBe(exports.length)
  // what comes later never says less
  const totals = exports.map((points) =>
    points
      .filter(({ kind }) => kind !== 'gauge')
      .map(({ value }) => value)
      .reduce((a, b) => a + b, 0),
  )
  expect(totals).toEqual(totals.toSorted((a, b) => a - b))
})

test('what happened while no collector listened is sent when one does', async () => {
  const { port } = receiver
  await receiver.close()
  await launch()
  await monitor().catch(() => undefined)
  expect(existsSync(path.join(root, '.fed', 'telemetry.json'))).toBe(false)
  receiver = await startReceiver(port)
  await monitor()
  await monitor()
  expect(receiver.spans.map(({ name }) => name).toSorted()).toEqual(
    ['aggregating', 'distilling', 'mission', 'preparing', 'scanning', 'session'].toSorted(),
  )
})

test('a collector that refuses for a while gets it once', async () => {
  await launch()
  receiver.answer = (_request, response) => response.writeHead(503).end()
  await monitor()
  await monitor()
  expect(receiver.spans).toEqual([])
  receiver.answer = undefined
  await monitor()
  await monitor()
  expect([receiver.spans.length, new Set(traced()).size]).toEqual([6, 6])
})

test('what a killed process had taken to send is sent when it has been silent for long', async () => {
  await launch()
  const killed = startFed(root, ['monitor'], { env: exporting() })
  receiver.answer = () => killed.kill('SIGKILL')
  expect((await killed.ended).code).toBe(null)
  receiver.answer = undefined
  await monitor()
  expect(receiver.spans).toEqual([])
  const preload = fileURLToPath(new URL('../../support/preload/shifted-clock.cjs', import.meta.url))
  const later = { NODE_OPTIONS: `--require=${preload}`, FED_TEST_CLOCK: '40000' }
  await fedDone(root, ['monitor'], { env: { ...exporting(), ...later } })
  await monitor()
  expect([receiver.spans.length, new Set(traced()).size]).toEqual([6, 6])
})

test('mail is counted when it was acknowledged, also between two looks', async () => {
  const ask = (subject: string) =>
    fedJson<{ id: string }>(root, ['send', 'docs', '--type', 'question', '--subject', subject])
  const read = async ({ id }: { id: string }) => fedDone(root, ['ack', 'docs', id])
  const first = await ask('Where are ports declared')
  expect(await counted('fed.signals.acknowledged')).toEqual({ 'docs deliverable directive': 1 })
  await read(first)
  const waiting = 'fed.signals.waiting_time'
  expect(await counted(waiting)).toEqual({ 'docs deliverable directive': 1, 'docs deliverable question': 1 })
  await read(await ask('Who listens'))
  await ask('Who answers')
  expect(await counted('fed.signals.acknowledged')).toMatchObject({ 'docs deliverable question': 2 })
  expect(await counted(waiting)).toMatchObject({ 'docs deliverable question': 2 })
  expect(await counted('fed.signals.sent')).toMatchObject({ 'meta meta question': 3 })
})

test('archived signals and those that come back count no second time', async () => {
  await launch()
  const before = await counted('fed.signals.acknowledged')
  await fedDone(root, ['archive-signals', 'docs', '--older-than', '0s'])
  expect(await counted('fed.signals.acknowledged')).toEqual(before)
  const month = new Date().toISOString().slice(0, 7)
  await fedDone(root, ['archive-signals', 'docs', '--restore', month])
  expect(await counted('fed.signals.acknowledged')).toEqual(before)
  await fedDone(root, ['send', 'docs', '--type', 'report', '--subject', 'One more', '--from', 'docs'])
  const after = await counted('fed.signals.acknowledged')
  expect(after).toEqual({
    ...before,
    'docs deliverable report': (before['docs deliverable report'] ?? 0) + 1,
  })
})

test('a mission that is given up, and those after it, have traces of their own', async () => {
  await fed(root, ['launch', '--team', 'docs', '--agent', agent('crashing'), '--max-sessions', '1'])
  await fedDone(root, ['run', 'Explain the number', '--agent', agent('good')])
  await monitor()
  await fedDone(root, ['run', 'Explain the name', '--agent', agent('good')])
  await monitor()
  const missions = receiver.spans.filter(({ name }) => name === 'mission')
  expect(missions.map(({ attributes, error }) => [attributes['fed.mission.outcome'], error])).toEqual([
    ['failed', 'the mission failed'],
    ['complete', undefined],
    ['complete', undefined],
  ])
  for (const { id, trace, start, end } of missions) {
    const own = receiver.spans.filter((span) => span.trace === trace && span.id !== id)
    expect(own.filter(({ name }) => name === 'session')).toHaveLength(1)
    expect(own.every(({ parent }) => parent === id)).toBe(true)
    for (const span of own.filter(({ name }) => name !== 'session'))
      expect([span.start >= start, span.end <= end]).toEqual([true, true])
  }
  const failed = receiver.spans.find(({ attributes }) => attributes['fed.session.cause'] === 'ended')
  expect(failed).toMatchObject({
    error: 'the session ended with cause ended',
    attributes: { 'process.exit.code': 1 },
  })
  await new Federation(root).team('docs').then((team) => team.reset())
  await fedDone(root, ['send', 'docs', '--type', 'directive', '--subject', 'Explain the source'])
  await monitor()
  await new Federation(root).team('docs').then((team) => team.reset())
  await monitor()
  const given = receiver.spans.filter(({ attributes }) => attributes['fed.mission.number'] === 4)
  expect(given.map(({ name, attributes }) => [name, attributes['fed.mission.outcome']])).toEqual([
    ['preparing', undefined],
    ['mission', 'given-up'],
  ])
  expect(new Set(traced()).size).toBe(receiver.spans.length)
})

test('a watch sends what comes while it goes on', async () => {
  const watch = startFed(root, ['monitor', '--watch', '--interval', '50ms'], {
    env: { ...exporting(), OTEL_METRIC_EXPORT_INTERVAL: '200' },
  })
  await until('the first export', () => receiver.exports.length > 0)
  expect(receiver.spans).toEqual([])
  await launch()
  await until('the spans of the mission', () => receiver.spans.length === 6)
  watch.kill('SIGINT')
  expect((await watch.ended).code).toBe(130)
  await monitor()
  expect(new Set(traced()).size).toBe(receiver.spans.length)
})

test('a launch sends what it did', async () => {
  const { code } = await fed(root, ['launch', '--team', 'docs', '--agent', agent('good')], {
    env: exporting(),
  })
  expect([code, receiver.spans.length]).toEqual([0, 6])
})
