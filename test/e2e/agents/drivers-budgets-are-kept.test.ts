// So much money, so many tokens or so much time may be used up: by a mission in all of its sessions, by a team, by the
// federation, by day or in all. Over it the team that is at work pauses, and meta hears what was used, by whom, and how
// to go on. It fails when an agent goes on, when sessions before do not count or count twice, when a budget is taken
// that nobody can measure, or when time counts in which nobody worked.
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { readBudget } from '../../../src/protocol/budget.ts'
import { driverOf } from '../../../src/agents/drivers/choose.ts'
import { assertMeasurable } from '../../../src/agents/sessions/over-budget.ts'
import { logFile, recordEnd, recordFile, recordSession } from '../../../src/agents/sessions/session-record.ts'
import { readReports, reportsFile, SessionReports } from '../../../src/agents/sessions/session-reports.ts'
import { Allowance, limitsFor } from '../../../src/agents/usage/allowance.ts'
import type { Costs } from '../../../src/agents/usage/costs-by-group.ts'
import {
  agent,
  fed,
  fedDone,
  fedJson,
  newFederation,
  pathWith,
  startFed,
  workspaceOf,
} from '../../support/fed.ts'
import { launchPosing, posing } from '../../support/posing-claude.ts'
import { anySession, recordUsage } from '../../support/session-record.ts'
import { mailOf, statusOf } from '../../support/standing.ts'
import { someOf } from '../../support/thorough.ts'
import { until } from '../../support/until.ts'

let root: string
const launch = (behaviours: readonly string[], ...more: string[]) => launchPosing(root, behaviours, ...more)
const configure = (settings: object) =>
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify(settings))
const sessions = (team = 'docs') => workspaceLayout(workspaceOf(root, team)).sessions
const budget = (text: string) => {
  const read = readBudget(text)
  if (read === undefined) throw new Error(`${text} is no budget`)
  return read
}

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer' })
})

test.each([
  ['3000tokens', /used up 3000 tokens, and may use up 3000 tokens/],
  ['0.03usd', /used up 0\.0300 US dollars, and may use up 0\.0300 US dollars/],
  ['0.05min', /used up \d+\.\d seconds, and may use up 3\.0 seconds/],
])('%s: over it the team pauses, and meta is alerted', async (amount, words) => {
  const { code, stderr } = await launch(['costly'], '--budget', amount)
  expect([code, stderr]).toEqual([5, expect.stringMatching(words)])
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'paused', status: 'paused' })
  const mail = await mailOf(root, 'meta')
  expect(mail.filter(({ type }) => type === 'alert')).toMatchObject([
    { subject: 'Budget used up', body: expect.stringMatching(words) },
  ])
})

test('what the sessions before used up counts, and a larger budget goes on', async () => {
  const first = await launch(['costly'], '--budget', '2000tokens')
  expect(first.code).toBe(5)
  await fedDone(root, ['resume', 'docs'])
  const again = await launch(['good'], '--budget', '2000tokens')
  expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('has used up')])
  expect(await launch(['good'], '--budget', '900000tokens')).toMatchObject({ code: 0 })
})

test('an agent that tells the totals of its session is counted once, however often that is resumed', async () => {
  await launch(['talking'], '--max-sessions', '2')
  const used = [1, 2].map((number) => readReports(sessions(), { mission: 1, number }))
  expect(used.map(({ usage }) => usage)).toEqual([
    { tokens: 1000, cost: 0.01 },
    { tokens: 1000, cost: 0.01 },
  ])
  expect(used[1]?.total).toEqual({ tokens: 2000, cost: 0.02 })
})

test('what an interrupted run used up counts, money too', async () => {
  const launcher = startFed(root, ['launch', '--team', 'docs', '--agent', 'claude'], posing('costly'))
  const file = path.join(sessions(), '1-1.reports.jsonl')
  await until('what it used', () => existsSync(file) && readFileSync(file, 'utf8').includes('"tokens"'))
  launcher.kill('SIGINT')
  expect((await launcher.ended).code).toBe(130)
  const { usage } = readReports(sessions(), { mission: 1, number: 1 })
  expect(usage?.tokens).toBeGreaterThanOrEqual(1000)
  expect(usage?.cost).toBeCloseTo((usage?.tokens ?? 0) / 100_000)
})

test.each([
  [{ team: '3000tokens' }, 'it has used up 3000 tokens, and may use up 3000 tokens; raise budget.team in'],
  [{ mission: ['9usd', '3000tokens'] }, 'its mission has used up 3000 tokens'],
  [
    { federation: '3000tokens/day' },
    'the federation has used up 3000 tokens today, and may use up 3000 tokens a day; raise budget.federation in federate.config.json, or wait until 00:00 UTC',
  ],
])('a budget of the configuration, %j, holds for each launch', async (budgets, words) => {
  configure({ budget: budgets })
  const first = await launch(['costly'])
  expect([first.code, first.stderr]).toEqual([5, expect.stringContaining(words)])
  await fedDone(root, ['resume', 'docs'])
  const again = await launch(['good'])
  expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('already; raise budget.')])
})

test('a mission, a team and a federation count what is theirs, and a day what was used on it', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable'])
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString()
  recordUsage(sessions('docs'), { mission: 1, number: 1 }, [
    [day(1), { tokens: 100 }],
    [day(0), { tokens: 250 }],
  ])
  recordUsage(sessions('api'), { mission: 1, number: 1 }, [[day(3), { tokens: 7 }]])
  recordUsage(sessions('api'), { mission: 1, number: 2 }, [[day(0), { tokens: 5000 }]])
  const docs = await new Federation(root).team('docs')
  const amount = (scope: string, text: string) =>
    new Allowance(docs, limitsFor({ budget: { [scope]: text } })).tightest('tokens')
  expect(amount('mission', '9000tokens')?.amount).toBe(250)
  expect(amount('team', '9000tokens/day')?.amount).toBe(150)
  expect(amount('federation', '9000tokens')?.byTeam).toEqual(
    new Map([
      ['docs', 250],
      ['api', 5007],
    ]),
  )
  expect(amount('federation', '9000tokens/day')?.amount).toBe(5150)
})

test.each([
  ['0.3usd', 0.3, 0.1, (one: Costs['rows'][number]) => one.cost ?? 0],
  ['0.2min', 12_000, 8000, (one: Costs['rows'][number]) => one.timeMs],
])(
  'a budget of the federation, %s, is used up once by teams at the same time',
  async (amount, most, over, of) => {
    for (const team of ['api', 'web'])
      await fedDone(root, ['onboard', team, '--archetype', 'deliverable', '--mission', 'Explain it'])
    configure({ budget: { federation: amount } })
    const { code, stdout } = await fed(root, ['launch', '--all', '--agent', 'claude'], posing('costly'))
    expect([code, stdout]).toEqual([5, expect.stringContaining('the federation has used up')])
    const { total } = await fedJson<Costs>(root, ['costs'])
    // what was under way, and the looks at what others do
    expect(of(total)).toBeGreaterThanOrEqual(most * 0.9)
    expect(of(total)).toBeLessThan(most + over)
  },
)

test('what a session used up counts without its record', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable', '--mission', 'Explain it'])
  recordUsage(sessions('docs'), { mission: 1, number: 1 }, [[new Date().toISOString(), { tokens: 500 }]])
  writeFileSync(recordFile(sessions('docs'), { mission: 1, number: 1 }), '{')
  configure({ budget: { federation: '400tokens' } })
  const launched = await fed(root, ['launch', '--team', 'api', '--agent', 'claude'], posing('good'))
  expect([launched.code, launched.stderr]).toEqual([5, expect.stringContaining('the federation has used up')])
  // who launches in the background hears it as well
  const options = ['launch', '--team', 'api', '--agent', 'claude', '--detach']
  expect(await fed(root, options, posing('good'))).toMatchObject({
    code: 5,
    stderr: expect.stringMatching(/the launch ended at once: .*the federation has used up/),
  })
})

test.skipIf(process.platform !== 'linux')(
  'an agent that ends by nothing else is killed at once',
  async () => {
    const count = path.join(root, 'count')
    const step = JSON.stringify({ type: 'step_finish', sessionID: 's', part: { tokens: { total: 1000 } } })
    const opencode = `trap '' TERM INT; while :; do echo '${step}'; echo >>'${count}'; sleep 0.2; done`
    const options = ['launch', '--team', 'docs', '--agent', 'opencode', '--confinement', 'off']
    const { code } = await fed(root, [...options, '--budget', '3000tokens'], {
      env: { PATH: pathWith({ opencode }) },
    })
    expect(code).toBe(5)
    // within the time that one which is asked has to end it would do 25 more
    expect(readFileSync(count, 'utf8').length).toBeLessThan(15)
  },
)

test('a report that is damaged, or far too large, says nothing, and stops no other team', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable', '--mission', 'Explain it'])
  recordUsage(sessions('docs'), { mission: 1, number: 1 }, [[new Date().toISOString(), { tokens: 5 }]])
  rmSync(reportsFile(sessions('docs'), { mission: 1, number: 1 }))
  mkdirSync(reportsFile(sessions('docs'), { mission: 1, number: 1 }))
  configure({ budget: { federation: '900000tokens' } })
  const launched = await fed(root, ['launch', '--team', 'api', '--agent', 'claude'], posing('good'))
  expect(launched).toMatchObject({ code: 0 })
  expect((await fedJson<Costs>(root, ['costs'])).rows).toMatchObject([
    { name: 'api' },
    { name: 'docs', tokens: null },
  ])
})

test.each(someOf(['5', '5eur', '-1usd', '0min', 'usd', '5usd/day'], 2))(
  '%j is no budget of a launch',
  async (text) => {
    const { code, stderr } = await launch(['good'], `--budget=${text}`)
    expect([code, stderr]).toEqual([2, expect.stringContaining('2.50usd, 200000tokens or 45min')])
  },
)

test('a budget of the configuration that is none is told with its place', async () => {
  configure({ budget: { team: 'lots' } })
  const { code, stderr } = await fed(root, ['status'])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/budget\.team.*such as 2\.50usd/)])
})

test.each([
  ['claude', '1usd', undefined],
  [
    'codex',
    '1usd',
    "'codex' does not tell what money it uses up while it works; give it in tokens or minutes",
  ],
  ['codex', '1tokens', undefined],
  ['copilot', '1tokens', undefined],
  ['acp:copilot', '1tokens', 'give it in minutes, such as 45min'],
  ['goose', '1tokens', 'give it in minutes, such as 45min'],
  [
    'acp:gemini',
    '1tokens',
    'does not tell what tokens it uses up while it works; give it in minutes, such as 45min',
  ],
  ['acp:my-agent', '1usd', 'give it in minutes'],
  ['my-agent', '1usd', 'give it in minutes'],
  ['my-agent', '1min', undefined],
  ['fed-agent', '1usd', undefined],
] as const)('%s and a budget of %s', (name, text, refusal) => {
  const attempt = () =>
    assertMeasurable(name, driverOf(name), { scope: 'mission', budget: budget(text), isOption: true })
  if (refusal === undefined) attempt()
  else expect(attempt).toThrow(refusal)
})

test('a budget that its agent cannot keep begins nothing', async () => {
  const outcome = await fed(root, ['launch', '--team', 'docs', '--agent', agent('good'), '--budget', '5usd'])
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('give it in minutes') })
  expect(existsSync(sessions())).toBe(false)
})

test('money and tokens that are told apart both count', () => {
  const reports = new SessionReports(reportsFile(root, { mission: 1, number: 1 }), () => undefined)
  reports.add({ kind: 'usage', usage: { cost: 0.5 } })
  reports.add({ kind: 'usage', usage: { tokens: 900 } })
  reports.end()
  expect(readReports(root, { mission: 1, number: 1 }).usage).toEqual({ cost: 0.5, tokens: 900 })
})

test.each([
  ['goes on from there', { tokens: 500 }, 700, 200],
  ['was lost, as that of an agent that was killed', { tokens: 500 }, 300, 300],
])('a total that %s is the run’s own part of it', (_, before, total, own) => {
  const reports = new SessionReports(reportsFile(root, { mission: 1, number: 1 }), () => undefined, {
    totals: before,
  })
  reports.add({ kind: 'usage', total: { tokens: total } })
  // what a part of it says later takes nothing away
  reports.add({ kind: 'usage', usage: { tokens: 10 } })
  reports.end()
  expect(readReports(root, { mission: 1, number: 1 })).toMatchObject({
    usage: { tokens: own },
    total: { tokens: total },
  })
})

test('a run that could not go on with its session, and began another, used up all of that one', () => {
  const resumed = { id: 'old', totals: { tokens: 500 } }
  const reports = new SessionReports(reportsFile(root, { mission: 1, number: 1 }), () => undefined, resumed)
  reports.add({ kind: 'session', id: 'new' })
  reports.add({ kind: 'usage', total: { tokens: 700 } })
  reports.end()
  expect(readReports(root, { mission: 1, number: 1 }).usage).toEqual({ tokens: 700 })
})

test('a session that was lost with its launcher took time until its last word, not until somebody found it', async () => {
  const begun = Date.now() - 10 * 3_600_000
  const numbers = { mission: 1, number: 1 }
  recordSession(sessions(), { ...anySession, at: new Date(begun).toISOString() })
  writeFileSync(logFile(sessions(), numbers), 'words')
  utimesSync(logFile(sessions(), numbers), begun / 1000, begun / 1000 + 60)
  recordEnd(sessions(), anySession, { at: new Date().toISOString(), exitCode: null, cause: 'lost' })
  const team = await new Federation(root).team('docs')
  const allowance = new Allowance(team, limitsFor({ budget: {} }, budget('45min')))
  expect(allowance.timeLeft(0)).toBeCloseTo(44 * 60_000, -2)
})
