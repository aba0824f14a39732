// Proves that a program which embeds the library and has an OpenTelemetry SDK of its own sees fed's metrics and
// spans in it, as totals that are the same for every process, each span told once, also beside `fed monitor` and
// its collector. Fails when the library tells its own exporter
// alone, or when somebody counts what another counted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agent, fedDone, newFederation } from '../../support/fed.ts'
import { exportingTo, latest, startReceiver } from '../../support/otlp-receiver.ts'
import { until } from '../../support/until.ts'

interface Seen {
  readonly points: readonly {
    readonly scope: string
    readonly name: string
    readonly isIncrease: boolean
    readonly attributes: Readonly<Record<string, string>>
    readonly value: number
  }[]
  readonly spans: readonly {
    readonly name: string
    readonly attributes: Readonly<Record<string, unknown>>
    readonly events: readonly string[]
    readonly trace: string
    readonly id: string
    readonly took: number
  }[]
}

interface Program {
  /** What its SDK holds now. */
  look(): Promise<Seen>
  end(): Promise<unknown>
}

const file = fileURLToPath(new URL('../../workers/own-sdk.mjs', import.meta.url))
const running: Program[] = []

function start(
  when: 'before' | 'after' = 'before',
  env: Readonly<Record<string, string>> = {},
  how = 'cumulative',
): Program {
  const child = spawn(process.execPath, [file, root, when, how], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, FED_TELEMETRY_ENABLED: 'true', OTEL_METRIC_EXPORT_INTERVAL: '50', ...env },
  })
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit')
  const program = {
    async look() {
      const line = Promise.race([once(lines, 'line'), ended])
      child.stdin.write('look\n')
      const [answer] = await line
      return JSON.parse(String(answer)) as Seen
    },
    end() {
      child.stdin.end()
      return ended
    },
  }
  running.push(program)
  return program
}

let root: string
beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer' })
})
afterEach(() => Promise.all(running.splice(0).map((program) => program.end())))

const launch = () => fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')])
const ofMission = ['aggregating', 'distilling', 'mission', 'preparing', 'scanning', 'session']

/** The values of one metric of the team, by its other attributes. */
function values({ points }: Seen, metric: string): Record<string, number> {
  const own = points.filter(({ name, attributes }) => name === metric && attributes['fed.team'] === 'docs')
  return Object.fromEntries(
    own.map(({ attributes, value }) => {
      const { 'fed.team': _, 'fed.archetype': __, 'fed.federation.id': ___, ...others } = attributes
      return [Object.values(others).join(' '), value]
    }),
  )
}

test('it sees the metrics and the spans of a mission, once however often it asks', async () => {
  const program = start()
  expect((await program.look()).spans).toEqual([])
  await launch()
  const seen = await program.look()
  expect(new Set(seen.points.map(({ scope }) => scope))).toEqual(new Set(['fed']))
  expect(values(seen, 'fed.transitions')).toEqual({
    'preparing scanning': 1,
    'scanning distilling': 1,
    'distilling aggregating': 1,
    'aggregating complete': 1,
  })
  expect(values(seen, 'deliverable.size_bytes')['']).toBeGreaterThan(0)
  expect(values(seen, 'fed.state.duration.count')).toEqual({
    preparing: 1,
    scanning: 1,
    distilling: 1,
    aggregating: 1,
  })
  expect(values(seen, 'fed.session.duration.bucket')['+Inf']).toBe(1)
  expect(values(seen, 'fed.session.duration.sum')['']).toBeGreaterThan(0)
  expect(seen.spans.map(({ name }) => name).toSorted()).toEqual(ofMission)
  expect(new Set(seen.spans.map(({ trace }) => trace)).size).toBe(1)
  expect(seen.spans.find(({ name }) => name === 'mission')?.attributes).toMatchObject({
    'fed.team': 'docs',
    'fed.mission.outcome': 'complete',
  })
  expect(seen.spans.flatMap(({ events }) => events)).toContain('report.files-read')
  expect(seen.spans.every(({ took }) => took >= 0)).toBe(true)
  expect(await program.look()).toEqual(seen)
})

test('two such programs and a monitor with a collector: equal totals, and each span told by one of them', async () => {
  const receiver = await startReceiver()
  try {
    const programs = [start(), start()]
    const monitors = [0, 1].map(() => fedDone(root, ['monitor'], { env: exportingTo(receiver) }))
    await launch()
    await Promise.all(monitors)
    await fedDone(root, ['monitor'], { env: exportingTo(receiver) })
    const seen = await Promise.all(programs.map((program) => program.look()))
    const exported = latest(receiver.exports.at(-1) ?? [], 'fed.transitions')
    expect(Object.values(exported).map(({ value }) => value)).toEqual([1, 1, 1, 1])
    for (const one of seen) {
      expect(Object.values(values(one, 'fed.transitions'))).toEqual([1, 1, 1, 1])
      expect(values(one, 'fed.signals.acknowledged')).toEqual(
        values(seen[0] as Seen, 'fed.signals.acknowledged'),
      )
    }
    const spans = [...receiver.spans, ...seen.flatMap((one) => one.spans)]
    expect(spans.map(({ name }) => name).toSorted()).toEqual(ofMission)
    // one trace, whoever tells its spans
    expect(new Set(spans.map(({ trace }) => trace)).size).toBe(1)
  } finally {
    await receiver.close()
  }
})

test('an SDK that tells increases tells no total again when a program starts anew', async () => {
  await launch()
  for (let begun = 0; begun < 2; begun += 1) {
    const program = start('before', {}, 'delta')
    const seen = await program.look()
    expect(Object.values(values(seen, 'fed.transitions'))).toEqual([1, 1, 1, 1])
    const increases = seen.points.filter(({ isIncrease }) => isIncrease).map(({ name }) => name)
    // a gauge is what it is, whatever the SDK tells
    expect(increases.filter((name) => !name.startsWith('deliverable.'))).toEqual([])
    await program.end()
  }
})

test('an SDK that is registered later hears of it too, and spans need nobody who asks for metrics', async () => {
  const program = start('after')
  await launch()
  await until('the spans', async () => (await program.look()).spans.length === ofMission.length)
  expect(Object.values(values(await program.look(), 'fed.sessions'))).toEqual([1])
})

test('with telemetry disabled it sees nothing, and nothing is written', async () => {
  const program = start('before', { FED_TELEMETRY_ENABLED: 'false' })
  await launch()
  expect((await program.look()).points).toEqual([])
  expect(existsSync(path.join(root, '.fed', 'telemetry.json'))).toBe(false)
})
