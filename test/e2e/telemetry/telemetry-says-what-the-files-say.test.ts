// Proves that a collector hears of a mission what its files hold: every metric by name, unit, kind and value, and
// one trace with real times. It fails when a name, a temporality, a parent or a time is another.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lifecycle } from '../../../src/engine/decide/lifecycle.ts'
import { lifecycleDocument } from '../../../src/engine/step/lifecycle-document.ts'
import { packageVersion } from '../../../src/platform/process/package.ts'
import { listSessions, type Session } from '../../../src/agents/sessions/session-record.ts'
import { agent, fedDone, newFederation, workspaceOf } from '../../support/fed.ts'
import {
  exportingTo,
  latest,
  startReceiver,
  type Point,
  type Receiver,
  type Span,
} from '../../support/otlp-receiver.ts'

let receiver: Receiver
let root: string
let commits: Lifecycle[]
let session: Session
let points: Point[]
let spans: Span[]

beforeAll(async () => {
  receiver = await startReceiver()
  root = await newFederation({ docs: 'Explain the answer' })
  const env = { ...exportingTo(receiver), OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=a%20test' }
  await fedDone(root, ['send', 'docs', '--type', 'report', '--subject', 'Ports are open'])
  await fedDone(root, ['send', 'docs', '--from', 'docs', '--type', 'report', '--subject', 'Files read'])
  await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')], { env })
  const workspace = workspaceOf(root, 'docs')
  const document = lifecycleDocument(workspace)
  commits = document.versions().map((version) => document.version(version) as Lifecycle)
  session = listSessions(path.join(workspace, '.fed', 'sessions'))[0] as Session
  points = receiver.exports.at(-1) ?? []
  spans = receiver.spans
})
afterAll(() => receiver.close())

const timesOf = (state: string) => {
  const isMove = (to: 'to' | 'from') => (commit: Lifecycle) =>
    commit.handled.some((entry) => entry[to] === state && entry.from !== entry.to)
  const adopted = commits.find(({ snapshot }) => snapshot.context.mission !== null)
  const begin = commits.find(isMove('to')) ?? adopted
  return [begin?.at, commits.find(isMove('from'))?.at].map((at) => Date.parse(at as string))
}

test('what is measured and by whom', () => {
  for (const { resource } of [...points, ...spans]) {
    expect(resource).toEqual({
      'service.name': 'fed',
      'service.version': packageVersion,
      'service.instance.id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.language': 'nodejs',
      'deployment.environment.name': 'a test',
    })
  }
  expect(receiver.requests.map(({ path: where }) => where).toSorted()).toEqual(['/v1/metrics', '/v1/traces'])
})

test.each([
  ['deliverable.size_bytes', 'By', 'gauge'],
  ['deliverable.sections', '{section}', 'gauge'],
  ['deliverable.code_examples', '{code_example}', 'gauge'],
  ['fed.signals.sent', '{signal}', 'cumulative monotonic sum'],
  ['fed.signals.acknowledged', '{signal}', 'cumulative monotonic sum'],
  ['fed.signals.refused', '{signal}', 'cumulative monotonic sum'],
  ['fed.transitions', '{transition}', 'cumulative monotonic sum'],
  ['fed.sessions', '{session}', 'cumulative monotonic sum'],
  ['fed.signals.waiting_time', 's', 'cumulative histogram'],
  ['fed.state.duration', 's', 'cumulative histogram'],
  ['fed.session.duration', 's', 'cumulative histogram'],
])('%s in %s is a %s', (metric, unit, kind) => {
  const own = points.filter((point) => point.metric === metric)
  expect(own.length).toBeGreaterThan(0)
  expect(new Set(own.map((point) => `${point.unit} ${point.kind}`))).toEqual(new Set([`${unit} ${kind}`]))
  const first = Math.min(
    ...commits.filter(({ handled }) => handled.length > 0).map(({ at }) => Date.parse(at)),
  )
  for (const { start, time } of own) expect([start <= first, time > start]).toEqual([true, true])
})

const valuesOf = (metric: string) =>
  Object.fromEntries(Object.entries(latest(points, metric)).map(([series, { value }]) => [series, value]))

test('values', () => {
  const outbox = (workspace: string, type: string) =>
    readdirSync(path.join(workspace, '.fed', 'signals', 'outbox')).filter((name) =>
      name.includes(`Z-${type}-`),
    ).length
  const docs = workspaceOf(root, 'docs')
  expect(valuesOf('deliverable.size_bytes')).toEqual({ 'docs deliverable': 194 })
  expect(valuesOf('deliverable.sections')).toEqual({ 'docs deliverable': 2 })
  expect(valuesOf('deliverable.code_examples')).toEqual({ 'docs deliverable': 1 })
  expect(outbox(docs, 'report')).toBeGreaterThan(4)
  expect(valuesOf('fed.signals.sent')).toEqual({
    'docs deliverable report': outbox(docs, 'report'),
    'meta meta directive': 1,
    'meta meta report': 1,
  })
  expect(valuesOf('fed.signals.acknowledged')).toEqual({
    'docs deliverable directive': 1,
    'docs deliverable report': 5,
  })
  expect(valuesOf('fed.signals.refused')).toEqual({ 'docs deliverable not-accepted-here': 1 })
  expect(valuesOf('fed.transitions')).toEqual({
    'docs deliverable preparing scanning': 1,
    'docs deliverable scanning distilling': 1,
    'docs deliverable distilling aggregating': 1,
    'docs deliverable aggregating complete': 1,
  })
  expect(valuesOf('fed.sessions')).toEqual({ 'docs deliverable finished': 1 })
})

/** A clock that is set back meanwhile, as a machine does to keep time, makes it 0. */
const secondsBetween = (begin: number, end: number) => Math.max(0, end - begin) / 1000

test('times', () => {
  const states = latest(points, 'fed.state.duration')
  expect(Object.keys(states)).toHaveLength(4)
  for (const state of ['preparing', 'scanning', 'distilling', 'aggregating']) {
    const [begin = 0, end = 0] = timesOf(state)
    const { value, sum, buckets, bounds } = states[`docs deliverable ${state}`] as Point
    const lasted = secondsBetween(begin, end)
    expect([value, sum]).toEqual([1, lasted])
    const bucket = bounds?.findIndex((bound) => lasted <= bound) ?? -1
    expect(buckets?.[bucket]).toBe(1)
  }
  const waited = commits.flatMap(({ at, handled }) =>
    handled
      .filter(({ type }) => type === 'report')
      .map((entry) => secondsBetween(Date.parse(entry.at), Date.parse(at))),
  )
  const waiting = latest(points, 'fed.signals.waiting_time')['docs deliverable report'] as Point
  expect(waiting.value).toBe(waited.length)
  expect(waiting.sum).toBeCloseTo(
    waited.reduce((all, one) => all + one, 0),
    6,
  )
  const lasted = secondsBetween(Date.parse(session.at), Date.parse(session.end?.at ?? ''))
  expect(latest(points, 'fed.session.duration')['docs deliverable']?.sum).toBe(lasted)
})

test('one trace: the mission, its states and its session', () => {
  const [mission, ...others] = spans.toSorted(
    (a, b) => Number(a.name !== 'mission') - Number(b.name !== 'mission'),
  )
  expect(mission).toMatchObject({ name: 'mission', parent: undefined, error: undefined })
  expect(mission?.attributes).toEqual({
    'fed.team': 'docs',
    'fed.archetype': 'deliverable',
    'fed.mission.number': 1,
    'fed.mission.subject': 'Explain the answer',
    'fed.mission.outcome': 'complete',
  })
  const adopted = commits.find(({ snapshot }) => snapshot.context.mission !== null) as Lifecycle
  expect(mission?.trace).toBe(adopted.commit.id.replaceAll('-', ''))
  expect([mission?.start, mission?.end]).toEqual(
    [adopted.at, commits.at(-1)?.at].map((at) => Date.parse(at ?? '')),
  )
  expect(new Set(spans.map(({ id }) => id)).size).toBe(6)
  for (const { trace, parent } of others) expect([trace, parent]).toEqual([mission?.trace, mission?.id])
  const inOrder = others.filter(({ name }) => name !== 'session').toSorted((a, b) => a.start - b.start)
  expect(inOrder.map(({ name, start, end }) => [name, start, end])).toEqual(
    ['preparing', 'scanning', 'distilling', 'aggregating'].map((state) => [state, ...timesOf(state)]),
  )
  const own = others.find(({ name }) => name === 'session')
  expect([own?.start, own?.end]).toEqual([Date.parse(session.at), Date.parse(session.end?.at ?? '')])
  expect(own?.attributes).toMatchObject({
    'fed.session.number': 1,
    'fed.session.cause': 'finished',
    'fed.agent': 'custom',
    'process.exit.code': 0,
  })
})

test('signals are events of the state that they came to', () => {
  const eventsOf = (state: string) =>
    spans
      .find(({ name }) => name === state)
      ?.events.map(({ name, at, attributes }) => [name, at, attributes['fed.signal.outcome']])
  const handled = commits.flatMap(({ at, handled: entries }) =>
    entries.map((entry) => [entry.from, [entry.event, Date.parse(at), entry.outcome]] as const),
  )
  for (const state of ['preparing', 'scanning', 'distilling', 'aggregating'])
    expect(eventsOf(state)).toEqual(handled.filter(([from]) => from === state).map(([, event]) => event))
  expect(eventsOf('preparing')?.map(([name]) => name)).toEqual([
    'directive.explain-the-answer',
    'report.files-read',
    'report.mission-planned',
  ])
})
