// Proves that `lastActive` of a team's entry (spec §2.4) moves with each signal that the team sends, with what its
// machine accepts of it, and with its status, before the command ends and without a monitor; that the deeds of others
// do not move it; and that it goes back only from a time that is yet to come. It fails when whoever reads the file takes
// a team for idle.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import type { Registry } from '../../../src/index.ts'
import { fedDone, fedJson, newFederation, fed } from '../../support/fed.ts'
import { now } from '../../../src/protocol/time.ts'
import { until } from '../../support/until.ts'

let root: string

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it', api: undefined })
})

const file = () => path.join(root, '.fed', 'team-registry.json')
const registry = () => JSON.parse(readFileSync(file(), 'utf8')) as Registry
const activeAt = (team: string) => {
  const { lastActive } = registry().teams.find(({ domainId }) => domainId === team) ?? {}
  return lastActive === undefined ? undefined : Date.parse(lastActive)
}

/** Whether an act moves the time of a team, to no earlier than the act began and no later than it ended. */
async function moves(team: string, act: () => Promise<unknown>): Promise<boolean> {
  const before = activeAt(team)
  await until('a later time than the last', () => before === undefined || Date.now() > before)
  const began = Date.now()
  await act()
  const after = activeAt(team)
  if (after === before) return false
  expect(after).toBeGreaterThanOrEqual(began)
  // the product's clock rises with each question, and so may go before the machine's by a few milliseconds
  expect(after).toBeLessThanOrEqual(Date.parse(now()))
  return true
}

test('it moves with each signal that a team sends, and not with those that it gets', async () => {
  const send = ['send', 'api', '--type', 'report', '--subject', 'News', '--from', 'docs']
  expect(await moves('docs', () => fedDone(root, send))).toBe(true)
  expect(await moves('docs', () => fedDone(root, send))).toBe(true)
  expect(activeAt('api')).toBeUndefined()
  const [{ id = '' } = {}] = await fedJson<{ id: string }[]>(root, ['inbox', 'api'])
  expect(await moves('docs', () => fedDone(root, ['reply', 'api', id, '--body', 'Thanks']))).toBe(false)
  expect(activeAt('api')).toBeDefined()
  const meta = ['send', 'docs', '--type', 'directive', '--subject', 'Cover the storage']
  expect(await moves('docs', () => fedDone(root, meta))).toBe(false)
})

test('it moves with each milestone, accepted or refused', async () => {
  const team = () => new Federation(root).team('docs')
  const report = async (subject: string, body: string) =>
    (await (await team()).tell({ type: 'report', subject, body })).entry?.outcome
  let outcome: string | undefined
  const tell = (subject: string, body: string) => async () => {
    outcome = await report(subject, body)
  }
  expect(await moves('docs', tell('mission-planned', 'read src/app.ts'))).toBe(true)
  expect(outcome).toBe('accepted')
  expect(await moves('docs', tell('files-read', ''))).toBe(true)
  expect(outcome).toBe('refused')
  expect(await moves('docs', tell('Information missing', 'nothing is there'))).toBe(true)
})

test.each([
  ['pause', 'resume'],
  ['archive', 'restore'],
] as const)('it moves with %s and with %s', async (there, back) => {
  const team = () => new Federation(root).team('docs')
  expect(await moves('docs', async () => (await team())[there]())).toBe(true)
  expect(await moves('docs', async () => (await team())[back]())).toBe(true)
})

test('one that a wrong clock wrote ends with the next activity, and one write is enough for a report', async () => {
  const { lockVersion } = registry()
  await fedDone(root, ['report', 'mission-planned', '--team', 'docs', '--body', 'read src/app.ts'])
  expect(registry().lockVersion).toBe(lockVersion + 1)
  const future = '2999-01-01T00:00:00.000Z'
  const edited = registry()
  writeFileSync(
    file(),
    JSON.stringify({ ...edited, teams: edited.teams.map((one) => ({ ...one, lastActive: future })) }),
  )
  const before = Date.now()
  await fedDone(root, ['send', 'api', '--type', 'report', '--subject', 'News', '--from', 'docs'])
  expect(activeAt('docs')).toBeGreaterThanOrEqual(before)
  expect(activeAt('docs')).toBeLessThan(Date.parse(future))
  expect(activeAt('api')).toBe(Date.parse(future))
  expect((await fed(root, ['monitor'])).stdout).toContain('docs')
})
