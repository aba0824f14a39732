// Proves that a real time-series database takes what is exported and answers with the figures, however many
// processes sent them. It fails when the encoding, a name or a series' identity is wrong. Where the database cannot
// be had it is skipped with a line that says why.
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest'
import { agent, fed, fedDone, newFederation } from '../../support/fed.ts'
import { exportingTo } from '../../support/otlp-receiver.ts'
import { until } from '../../support/until.ts'
import {
  NoVictoriaMetrics,
  startVictoriaMetrics,
  type VictoriaMetrics,
} from '../../support/victoria-metrics.ts'

let database: VictoriaMetrics | undefined
let reason = ''

beforeAll(async () => {
  try {
    database = await startVictoriaMetrics()
  } catch (error) {
    if (!(error instanceof NoVictoriaMetrics)) throw error
    reason = error.message
    process.stderr.write(`no test against VictoriaMetrics: ${reason}\n`)
  }
}, 300_000)
afterAll(() => database?.stop())

function given({ skip }: TestContext): VictoriaMetrics {
  return database ?? skip(`VictoriaMetrics: ${reason}`)
}

test('a mission, and several monitors at once', async (context) => {
  const { endpoint, series, query } = given(context)
  const root = await newFederation({ docs: 'Explain the answer' })
  const env = { ...exportingTo({ endpoint }), OTEL_TRACES_EXPORTER: 'none' }
  await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')], { env })
  const monitors = await Promise.all(Array.from({ length: 3 }, () => fed(root, ['monitor'], { env })))
  expect(monitors.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, '']))

  // it shows what it took about a second later
  const samples = async () => (await series('deliverable.size_bytes')).flatMap(({ values }) => values).length
  await until('four samples', async () => (await samples()) >= 4)
  const last = async (metric: string) => {
    const all = await series(metric)
    return Object.fromEntries(
      all.map(({ metric: labels, values }) => [
        Object.entries(labels)
          .filter(([label]) => label.startsWith('fed.') || label === '__name__' || label === 'le')
          .map(([, value]) => value)
          .join(' '),
        values.at(-1),
      ]),
    )
  }
  expect(await last('deliverable.')).toEqual({
    'deliverable.size_bytes deliverable docs': 194,
    'deliverable.sections deliverable docs': 2,
    'deliverable.code_examples deliverable docs': 1,
  })
  expect(await last('fed.transitions')).toEqual({
    'fed.transitions deliverable preparing scanning docs': 1,
    'fed.transitions deliverable scanning distilling docs': 1,
    'fed.transitions deliverable distilling aggregating docs': 1,
    'fed.transitions deliverable aggregating complete docs': 1,
  })
  // four processes wrote one series each, and nothing adds up to more than there was
  expect(await query('sum({__name__="fed.transitions"})')).toEqual([4])
  expect(await query('count({__name__="deliverable.size_bytes"})')).toEqual([1])
  expect(await query('sum({__name__="fed.sessions"})')).toEqual([1])
  expect(await query('sum({__name__="fed.state.duration_count"})')).toEqual([4])
  const [sized] = await series('deliverable.size_bytes')
  expect(sized?.metric).toMatchObject({ 'service.name': 'fed', 'service.instance.id': expect.any(String) })
})

test('it takes no traces, and that is said in one line', async (context) => {
  const { endpoint } = given(context)
  const root = await newFederation({ docs: 'Explain the answer' })
  await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')])
  const { code, stderr } = await fed(root, ['monitor'], { env: exportingTo({ endpoint }) })
  expect([code, stderr]).toEqual([
    0,
    `telemetry: ${endpoint} takes no traces (400); with OTEL_TRACES_EXPORTER=none it gets none\n`,
  ])
  expect(await fed(root, ['monitor'], { env: exportingTo({ endpoint }) })).toMatchObject({
    code: 0,
    stderr: '',
  })
})

test('the doctor calls it a collector, and its other addresses none', async (context) => {
  const { endpoint } = given(context)
  const root = await newFederation()
  const said = async (address: string) => {
    const { stdout } = await fed(root, ['doctor'], { env: exportingTo({ endpoint: address }) })
    return stdout.split('\n').find((line) => line.includes(' telemetry '))
  }
  expect(await said(endpoint)).toBe(`✓ telemetry     a collector takes metrics at ${endpoint}`)
  expect(await said(new URL(endpoint).origin)).toMatch(
    /^! telemetry .* answers 400: it does not take metrics/,
  )
})
