// A mission may use up so much money, so many tokens or so much time, in all of its sessions: over it the team
// pauses and meta hears why. It fails when an agent goes on, when the sessions before do not count, or when a budget
// is taken that nobody can measure, or when time counts in which nobody worked.
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { driverOf } from '../../../src/agents/drivers/choose.ts'
import { allowanceFor, assertMeasurable } from '../../../src/agents/sessions/budget.ts'
import { logFile, recordEnd, recordSession } from '../../../src/agents/sessions/session-record.ts'
import { readReports, reportsFile, SessionReports } from '../../../src/agents/sessions/session-reports.ts'
import { agent, fed, fedDone, newFederation, pathWith, workspaceOf } from '../../support/fed.ts'
import { anySession } from '../../support/session-record.ts'
import { mailOf, statusOf } from '../../support/standing.ts'
import { someOf } from '../../support/thorough.ts'

let root: string
const program = fileURLToPath(new URL('../../agents/stream-json.mjs', import.meta.url))
const posing = (...behaviours: string[]) => ({
  env: { PATH: pathWith({ claude: `exec '${process.execPath}' '${program}' ${behaviours.join(',')} "$@"` }) },
})
const launch = (behaviours: readonly string[], ...more: string[]) =>
  fed(root, ['launch', '--team', 'docs', '--agent', 'claude', ...more], posing(...behaviours))

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer' })
})

test.each([
  ['3000tokens', /used up \d+ tokens, and may use up 3000 tokens/],
  ['0.05min', /used up \d+\.\d seconds, and may use up 3\.0 seconds/],
])('%s: over it the team pauses, and meta is alerted', async (budget, words) => {
  const { code, stderr } = await launch(['costly'], '--budget', budget)
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

test.each(someOf(['5', '5eur', '-1usd', '0min', 'usd'], 2))('%j is no budget', async (budget) => {
  const { code, stderr } = await launch(['good'], `--budget=${budget}`)
  expect([code, stderr]).toEqual([2, expect.stringContaining('2.50usd, 200000tokens or 45min')])
})

test.each([
  ['claude', 'cost', undefined],
  ['codex', 'cost', "'codex' does not tell what money it uses up; give it in tokens or minutes"],
  ['copilot', 'tokens', "'copilot' does not tell what tokens it uses up; give it in minutes, such as 45min"],
  ['acp:copilot', 'tokens', undefined],
  ['acp:my-agent', 'cost', undefined],
  ['my-agent', 'cost', 'give it in minutes'],
  ['my-agent', 'time', undefined],
] as const)('%s and a budget of %s', (name, kind, refusal) => {
  const attempt = () => assertMeasurable(name, driverOf(name), { kind, amount: 1 })
  if (refusal === undefined) attempt()
  else expect(attempt).toThrow(refusal)
})

test('a budget that its agent cannot keep begins nothing', async () => {
  const outcome = await fed(root, ['launch', '--team', 'docs', '--agent', agent('good'), '--budget', '5usd'])
  expect(outcome).toMatchObject({ code: 2, stderr: expect.stringContaining('give it in minutes') })
  expect(existsSync(workspaceLayout(workspaceOf(root, 'docs')).sessions)).toBe(false)
})

test('money and tokens that are told apart both count', () => {
  const reports = new SessionReports(reportsFile(root, { mission: 1, number: 1 }), () => undefined)
  reports.add({ kind: 'usage', usage: { cost: 0.5 } })
  reports.add({ kind: 'usage', usage: { tokens: 900 } })
  reports.end()
  expect(readReports(root, { mission: 1, number: 1 }).usage).toEqual({ cost: 0.5, tokens: 900 })
})

test('a session that was lost with its launcher took time until its last word, not until somebody found it', async () => {
  const { sessions } = workspaceLayout(workspaceOf(root, 'docs'))
  const begun = Date.now() - 10 * 3_600_000
  const numbers = { mission: 1, number: 1 }
  recordSession(sessions, { ...anySession, at: new Date(begun).toISOString() })
  writeFileSync(logFile(sessions, numbers), 'words')
  utimesSync(logFile(sessions, numbers), begun / 1000, begun / 1000 + 60)
  recordEnd(sessions, anySession, { at: new Date().toISOString(), exitCode: null, cause: 'lost' })
  const team = await new Federation(root).team('docs')
  expect(allowanceFor(team, { kind: 'time', amount: 45 * 60_000 }).timeMs).toBeCloseTo(44 * 60_000, -2)
})
