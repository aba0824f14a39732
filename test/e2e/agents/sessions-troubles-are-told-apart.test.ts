// Why an agent ended decides what follows: a provider that fails is tried again and then the team pauses, what a person
// has to see to pauses it at once, a session that is too long is begun anew, and an agent that goes round in circles is
// stopped. It fails when a mission fails for any of these, when a session is resumed that cannot go on, or when meta is
// not told what to do.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { recordEnd, recordSession } from '../../../src/agents/sessions/session-record.ts'
import { reportsFile } from '../../../src/agents/sessions/session-reports.ts'
import { workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { anySession } from '../../support/session-record.ts'
import { fed, fedDone, fedJson, newFederation, startFed, workspaceOf } from '../../support/fed.ts'
import { launchPosing, posing } from '../../support/posing-claude.ts'
import { mailOf, statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'

let root: string
const launch = (behaviours: readonly string[], ...more: string[]) => launchPosing(root, behaviours, ...more)
const session = (name: string) => path.join(workspaceOf(root, 'docs'), '.fed', 'sessions', name)
const read = (name: string) => JSON.parse(readFileSync(session(name), 'utf8')) as Record<string, unknown>
const alerts = async () => (await mailOf(root, 'meta')).filter(({ type }) => type === 'alert')

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer' })
})

test('a provider that fails is tried again, and no session counts for it', async () => {
  const { code, stderr } = await launch(['overloaded', 'overloaded', 'good'], '--max-sessions', '1')
  expect([code, stderr]).toEqual([0, expect.stringMatching(/tries again at .*529 Overloaded/)])
  expect(read('1-1.end.json')).toMatchObject({ cause: 'unavailable' })
  expect(await alerts()).toEqual([])
})

test('one that fails longer than anybody is patient pauses the team', async () => {
  const { code, stderr } = await launch(['overloaded'], '--patience', '1s')
  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(/docs is paused: what claude works with failed \d+ times/),
  ])
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'paused', finished: false })
  expect(await alerts()).toMatchObject([
    { subject: 'Provider unavailable', body: expect.stringContaining("'fed resume docs' and 'fed launch") },
  ])
  await fedDone(root, ['resume', 'docs'])
  expect(await launch(['good'])).toMatchObject({ code: 0 })
})

test('one that forgets its session between two failures is no more patient for it', async () => {
  const { code } = await launch(
    ['overloaded', 'forgotten', 'overloaded', 'forgotten', 'overloaded'],
    '--patience',
    '1s',
  )
  expect(code).toBe(5)
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'paused' })
})

test('a session that is too long is not resumed: the next begins from what was done', async () => {
  expect(await launch(['crash', 'overflowing', 'good'])).toMatchObject({ code: 0 })
  expect(read('1-2.end.json')).toMatchObject({ cause: 'overflowed' })
  expect(read('1-2.json')).toHaveProperty('resumes')
  expect(read('1-3.json')).not.toHaveProperty('resumes')
  expect(readFileSync(session('1-3.prompt.md'), 'utf8')).toContain('longer than its model can read')
})

test('one that is always too long fails its mission by its sessions, not without end', async () => {
  expect(await launch(['overflowing'], '--max-sessions', '2')).toMatchObject({ code: 1 })
  expect(existsSync(session('1-3.json'))).toBe(false)
})

test('an agent that is refused for the same reason five times in a row is stopped, and meta hears the reason', async () => {
  const { code, stderr } = await launch(['looping'])
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining('docs is paused: its agent told the same again'),
  ])
  expect(read('1-1.end.json')).toMatchObject({ cause: 'looping' })
  const refused = await fedJson<{ outcome: string }[]>(root, ['history', 'docs'])
  // those that were under way when it was stopped
  expect(refused.filter(({ outcome }) => outcome === 'refused').length).toBeLessThan(15)
  expect(await alerts()).toMatchObject([
    { subject: 'Agent goes round in circles', body: expect.stringContaining('report.document-written') },
  ])
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'paused', finished: false })
})

test('a limit that one team met holds back the others of that agent until it has passed', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable', '--mission', 'Explain the API'])
  const limited = launch(['limited', 'good'])
  const other = await fed(root, ['launch', '--team', 'api', '--agent', 'claude'], posing('good'))
  expect(await limited).toMatchObject({ code: 0 })
  expect(other.code).toBe(0)
})

test('a team whose own limit has passed waits for the longer one of another, and does nothing meanwhile', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable', '--mission', 'Explain the API'])
  const launched = startFed(
    root,
    ['launch', '--team', 'docs', '--agent', 'claude'],
    posing('limited', 'good'),
  )
  await until('the limit of docs', async () => (await statusOf(root, 'docs')).status === 'paused')
  const { sessions } = workspaceLayout(workspaceOf(root, 'api'))
  const one = { ...anySession, agent: 'claude', at: new Date().toISOString() }
  recordSession(sessions, one)
  const until1h = new Date(Date.now() + 3_600_000).toISOString()
  writeFileSync(
    reportsFile(sessions, one),
    `${JSON.stringify({ format: 'fed-session-report-1', at: one.at, kind: 'limit', words: 'full', until: until1h })}\n`,
  )
  recordEnd(sessions, one, { at: one.at, exitCode: 1, cause: 'limited' })
  await fedDone(root, ['pause', 'api'])
  await until('docs to be held back', () => launched.stderr().includes('(api met it)'))
  const handled = async () => (await fedJson<object[]>(root, ['history', 'docs'])).length
  const before = await handled()
  await fedDone(root, ['monitor']).catch(() => undefined)
  expect(await handled()).toBe(before)
  // nobody waits for a limit of a team that is put away
  await fedDone(root, ['archive', 'api'])
  expect(await launched.ended).toMatchObject({ code: 0 })
})
