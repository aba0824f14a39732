// What agents used up is told by team, mission, agent, model and day, as they told it, with those of teams that are
// gone; what nobody told is unknown. It fails when an unknown figure is a 0, or when a session counts twice or on the
// wrong day.
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import { beforeEach, expect, test } from 'vitest'
import { recordFile } from '../../../src/agents/sessions/session-record.ts'
import type { Costs } from '../../../src/agents/usage/costs-by-group.ts'
import { workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'
import { recordUsage } from '../../support/session-record.ts'

let root: string
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const day = (days: number) => daysAgo(days).slice(0, 10)

const sessionsOf = (team: string) => workspaceLayout(workspaceOf(root, team)).sessions

beforeEach(async () => {
  root = await newFederation({ docs: undefined, api: undefined })
  recordUsage(sessionsOf('docs'), { mission: 1, number: 1, agent: 'claude' }, [
    [daysAgo(1), { tokens: 100, cost: 0.1 }],
    [daysAgo(0), { tokens: 250, cost: 0.4 }],
  ])
  recordUsage(sessionsOf('docs'), { mission: 2, number: 1, agent: 'codex' }, [[daysAgo(0), { tokens: 50 }]])
  recordUsage(sessionsOf('api'), { mission: 1, number: 1, agent: 'my-agent' }, [])
})

const costs = async (...more: string[]) => fedJson<Costs>(root, ['costs', ...more])
const figures = ({ rows }: Costs) =>
  Object.fromEntries(rows.map(({ name, tokens, cost }) => [name, { tokens, cost }]))

test('by team, with what is unknown', async () => {
  expect(await costs()).toMatchObject({
    rows: [
      { name: 'api', sessions: 1, tokens: null, cost: null, unknown: { tokens: 1, cost: 1 } },
      { name: 'docs', sessions: 2, tokens: 300, cost: 0.4, unknown: { tokens: 0, cost: 1 } },
    ],
    total: { sessions: 3, tokens: 300, cost: 0.4, unknown: { tokens: 1, cost: 2 } },
  })
  const text = await fedDone(root, ['costs'])
  expect(text).toMatch(/^api +1 +\d+\.\d min +unknown +unknown$/m)
  expect(text).toMatch(/^docs +2 .* 300 +0\.4000, and 1 unknown$/m)
})

test.each<[by: string, rows: Record<string, object>]>([
  [
    'mission',
    {
      'docs/1': { tokens: 250, cost: 0.4 },
      'docs/2': { tokens: 50, cost: null },
      'api/1': { tokens: null, cost: null },
    },
  ],
  ['agent', { claude: { tokens: 250, cost: 0.4 }, codex: { tokens: 50, cost: null } }],
  ['model', { opus: { tokens: 300, cost: 0.4 } }],
  ['day', { [day(1)]: { tokens: 100, cost: 0.1 }, [day(0)]: { tokens: 200, cost: expect.closeTo(0.3) } }],
])('by %s', async (by, rows) => {
  expect(figures(await costs('--by', by))).toMatchObject(rows)
})

test('of one team, and from a day on', async () => {
  expect(figures(await costs('docs', '--since', `${day(0)}T00:00:00Z`))).toEqual({
    docs: { tokens: 200, cost: expect.closeTo(0.3) },
  })
})

test('of a team that was offboarded, and of the embedded agent, which asks no model', async () => {
  await fedDone(root, ['archive', 'docs'])
  await fedDone(root, ['offboard', 'docs'])
  expect(figures(await costs()).docs).toEqual({ tokens: 300, cost: 0.4 })
  const other = await newFederation({ docs: 'Explain the answer' })
  await fedDone(other, ['launch', '--team', 'docs'])
  expect((await fedJson<Costs>(other, ['costs'])).total).toMatchObject({
    tokens: 0,
    cost: 0,
    unknown: { tokens: 0, cost: 0 },
  })
})

test('of two teams of one name apart, one of which is gone', async () => {
  await fedDone(root, ['archive', 'docs'])
  await fedDone(root, ['offboard', 'docs'])
  expect(figures(await costs('docs'))).toEqual({ docs: { tokens: 300, cost: 0.4 } })
  await fedDone(root, ['onboard', 'docs'])
  recordUsage(sessionsOf('docs'), { mission: 1, number: 1 }, [[daysAgo(0), { tokens: 7 }]])
  expect(figures(await costs('docs', '--by', 'mission'))).toMatchObject({
    'docs/1': { tokens: 7 },
    'docs/1 (offboarded team 1)': { tokens: 250 },
  })
})

test('a session whose record is damaged counts by what its agent reported, and the others as they are', async () => {
  truncateSync(recordFile(sessionsOf('docs'), { mission: 1, number: 1 }), 50)
  const { stdout, stderr } = await fed(root, ['costs', 'docs', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ rows: [{ name: 'docs', sessions: 2, tokens: 300, cost: 0.4 }] })
  expect(stderr).toContain('1-1.json cannot be read')
  rmSync(sessionsOf('docs'), { recursive: true })
  writeFileSync(sessionsOf('docs'), '')
  expect((await fed(root, ['costs'])).stderr).toContain('what was used up there is unknown')
})

test('a session that told on another day than it began is unknown on neither', async () => {
  recordUsage(sessionsOf('api'), { mission: 2, number: 1, at: daysAgo(3) }, [
    [daysAgo(2), { tokens: 5, cost: 1 }],
  ])
  const { rows } = await costs('api', '--by', 'day')
  expect(rows.find(({ name }) => name === day(3))).toMatchObject({
    sessions: 1,
    tokens: 0,
    unknown: { tokens: 0 },
  })
})

test('of nobody, and of a team that is none', async () => {
  const empty = await newFederation({ docs: undefined })
  expect(await fedDone(empty, ['costs'])).toContain('no agent has worked yet')
  expect(await fed(empty, ['costs', 'dcos'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('docs'),
  })
  expect(await fed(empty, ['costs', '--by', 'colour'])).toMatchObject({ code: 2 })
})
