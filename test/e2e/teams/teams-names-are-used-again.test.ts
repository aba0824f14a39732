// Proves that the name of an offboarded team can be used again, and that the two teams stay apart: neither what the
// first one left, nor its processes and signals that come late, nor a command that was cut off gets into the second
// one's life, its archive or its figures. It fails when a late commit stands, an id comes twice, or work is mixed.
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { beforeEach, describe, expect, test } from 'vitest'
import { repairAll } from '../../../src/apps/doctor/examine.ts'
import type { Lifecycle } from '../../../src/engine/decide/lifecycle.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { monitor, offboard as offboardFrom } from '../../../src/index.ts'
import { git } from '../../../src/platform/git/git.ts'
import { TeamExistsError } from '../../../src/errors/team-errors.ts'
import { lastFormer, noteOffboarding } from '../../../src/federation/former-teams.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import type { Team } from '../../../src/federation/team.ts'
import { look } from '../../../src/telemetry/look-for-news.ts'
import { commitFile } from '../../support/coding-team.ts'
import { builtFed, fed, fedDone, fedJson } from '../../support/fed.ts'
import { inboxOf, newFederation } from '../../support/federation.ts'

let root: string

beforeEach(() => {
  root = newFederation()
})

/** Each act opens everything anew, as a process of its own would. */
const open = () => new Federation(root)
const onboard = (archetype = 'deliverable') => open().onboard({ domain: 'docs', archetype })
const offboard = () => offboardFrom(open(), 'docs')
const archived = (name: string, ...names: string[]) => path.join(root, '.fed', 'archive', name, ...names)

/** A mission that ends at once, and its reports to meta. */
async function failAMission(team: Team): Promise<void> {
  await beginMission(team, 'Explain it')
  await team.tell({ type: 'report', subject: 'mission-planned', body: 'read src/app.ts' })
  await team.tell({ type: 'alert', subject: 'information-missing', body: 'nothing is there' })
}

const headOf = async () => (await open().team('docs')).actor.lifecycle.read()

test('the new team begins with nothing of the old one, and may be of another kind', async () => {
  await failAMission(await onboard())
  const { archive } = await offboard()
  const team = await onboard('consultant')
  expect(await team.status()).toMatchObject({ state: 'onboarding', mission: null, missionNumber: 1 })
  expect([team.history('all'), team.mailbox.all(), team.mailbox.sent()]).toEqual([[], [], []])
  expect(archive).toBe(archived('docs'))
  await team.archive()
  expect((await offboard()).archive).toBe(archived('docs.2'))
  await failAMission(await onboard())
  await offboard()
  const archives = readdirSync(archived('')).toSorted()
  expect(archives).toEqual(['docs', 'docs.2', 'docs.2.json', 'docs.3', 'docs.3.json', 'docs.json'])
  for (const [name, archetype] of [
    ['docs', 'deliverable'],
    ['docs.2', 'consultant'],
  ] as const)
    expect(JSON.parse(readFileSync(archived(name, '.fed', 'team.json'), 'utf8'))).toMatchObject({ archetype })
})

test('no signal of the one bears the id of one of the other', async () => {
  for (let life = 0; life < 3; life += 1) {
    await failAMission(await onboard())
    await offboard()
  }
  const told = [...inboxOf(root).values()].filter(({ from }) => from === 'docs')
  expect(told).toHaveLength(6)
  expect(new Set(told.map(({ id }) => id)).size).toBe(6)
})

test('what the one told is recorded as its own, and the doctor does not miss it of the other', async () => {
  await failAMission(await onboard())
  await offboard()
  const team = await onboard()
  const inbox = path.join(root, '.fed', 'signals', 'inbox')
  // the doctor leaves to its sender what came a moment ago
  const old = new Date(Date.now() - 3_600_000)
  for (const name of readdirSync(inbox)) utimesSync(path.join(inbox, name), old, old)
  const { fixed, findings } = await repairAll(root)
  expect([fixed, findings.filter(({ area, severity }) => area === 'mail' && severity !== 'ok')]).toEqual([
    [],
    [],
  ])
  expect(team.mailbox.sent()).toEqual([])
})

describe('late comes', () => {
  test('a commit of a process that was stopped, and does not stand', async () => {
    const old = await onboard()
    const { lifecycle } = old.actor
    const first = lifecycle.read()
    await failAMission(old)
    const last = lifecycle.read()
    await offboard()
    const team = await onboard()
    const begun = await headOf()
    for (const head of [first, last]) {
      const late = { ...(head?.content as Lifecycle), handled: [] }
      expect(lifecycle.commit(head, late)).toBeUndefined()
      expect((await headOf())?.commit).toBe(begun?.commit)
    }
    await failAMission(team)
    expect((await headOf())?.content.commit.previous).not.toBeNull()
    expect((await open().team('docs')).history().map(({ event }) => event)).toEqual([
      'directive.explain-it',
      'report.mission-planned',
      'alert.information-missing',
    ])
  })

  test('what a program that goes on remembers of the old team, and it sees the new one', async () => {
    const federation = open()
    await failAMission(await federation.onboard({ domain: 'docs' }))
    await monitor(federation)
    await monitor(federation)
    await offboard()
    await beginMission(await onboard(), 'Explain more')
    const { teams } = await monitor(federation)
    expect(teams).toMatchObject([{ team: 'docs', state: 'preparing' }])
    expect((await (await federation.team('docs')).status()).mission?.subject).toBe('Explain more')
  })

  test('tools that an agent left running, and are refused', async () => {
    await onboard()
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [builtFed, 'mcp', '--team', 'docs'],
        cwd: root,
        stderr: 'ignore',
      }),
    )
    try {
      await fedDone(root, ['archive', 'docs'])
      await offboard()
      await beginMission(await onboard(), 'Explain the new')
      const before = (await headOf())?.version
      for (const [name, input] of [
        ['report', { subject: 'mission-planned', body: 'read src/app.ts' }],
        ['learn', { content: 'It is old' }],
        ['send', { to: 'meta', type: 'report', subject: 'Late', body: 'x' }],
      ] as const) {
        const { content, isError } = await client.callTool({ name, arguments: input })
        expect([name, isError]).toEqual([name, true])
        expect(content).toMatchObject([{ text: expect.stringContaining('is not there any more') }])
      }
      expect((await headOf())?.version).toBe(before)
    } finally {
      await client.close()
    }
  })

  test('a command of an agent that was left running, and is refused', async () => {
    const { onboardedAt } = (await onboard().then(() => open())).registry.entry('docs')
    await failAMission(await open().team('docs'))
    await offboard()
    await beginMission(await onboard(), 'Explain it')
    const report = ['report', 'mission-planned', '--body', 'read src/app.ts']
    const env = { FED_ROOT: root, FED_TEAM: 'docs', FED_TEAM_SINCE: onboardedAt }
    const { code, stderr } = await fed(root, report, { env })
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`onboarded at ${onboardedAt} and is not there any more`),
    ])
    expect((await open().team('docs')).present().state).toBe('preparing')
    const { onboardedAt: now } = open().registry.entry('docs')
    await fedDone(root, report, { env: { ...env, FED_TEAM_SINCE: now } })
  })
})

describe('a command that was cut off:', () => {
  /** As a process leaves it that was killed when the registry was written. */
  async function leaveHalf(): Promise<void> {
    await failAMission(await onboard())
    const { registry } = open()
    noteOffboarding(root, new Date().toISOString(), registry.entry('docs'))
    registry.update((draft) => ({ ...draft, teams: [] }))
  }

  test('an offboarding is finished first', async () => {
    await leaveHalf()
    await expect(onboard()).rejects.toThrow(TeamExistsError)
    await expect(onboard()).rejects.toThrow("'fed offboard docs' finishes that")
    await offboard()
    await onboard()
    expect(readdirSync(archived('docs', '.fed', 'signals', 'inbox')).length).toBeGreaterThan(0)
  })

  test('an onboarding is gone on with, and no offboarding takes its workspace', async () => {
    await failAMission(await onboard())
    const first = await offboard()
    const { actor } = await onboard()
    open().registry.update((draft) => ({ ...draft, teams: [] }))
    expect(await offboard()).toEqual(first)
    expect(existsSync(path.join(actor.workspace, '.fed', 'lifecycle.json'))).toBe(true)
    const begun = actor.lifecycle.read()?.commit
    const again = await onboard()
    expect(again.actor.lifecycle.read()?.commit).toBe(begun)
  })

  test('several at once leave a team whole or none', async () => {
    await failAMission(await onboard())
    await Promise.all([
      fed(root, ['offboard', 'docs']),
      fed(root, ['offboard', 'docs']),
      fed(root, ['onboard', 'docs', '--archetype', 'consultant']),
      fed(root, ['onboard', 'docs', '--archetype', 'consultant']),
    ])
    if (open().registry.read().teams.length === 0)
      await fedDone(root, ['onboard', 'docs', '--archetype', 'consultant'])
    expect(await fedJson(root, ['status', 'docs'])).toMatchObject({
      archetype: 'consultant',
      state: 'onboarding',
    })
    expect(lastFormer(root, 'docs')).toMatchObject({
      number: 1,
      offboarding: { lastVersion: expect.any(Number) },
    })
    expect(existsSync(archived('docs', '.fed', 'lifecycle.json'))).toBe(true)
    expect(readdirSync(archived('')).toSorted()).toEqual(['docs', 'docs.json'])
  })
})

test('work that was rescued of the one is not told of the other', async () => {
  const work: string[] = []
  for (const name of ['one.ts', 'two.ts']) {
    const team = await onboard('coding')
    await beginMission(team, 'Change it')
    expect(git(team.actor.workspace, 'rev-parse', 'HEAD')).toBe(git(root, 'rev-parse', 'main'))
    work.push(commitFile(team.actor.workspace, name, ''))
    await team.archive()
    const { rescued } = await offboard()
    expect(rescued.map(({ commit }) => commit)).toEqual(work.slice(-1))
    expect(await offboard()).toMatchObject({ rescued })
  }
  expect(git(root, 'for-each-ref', '--format=%(objectname)', 'refs/fed').split('\n').toSorted()).toEqual(
    work.toSorted(),
  )
})

test('what is counted of both is counted once, whenever somebody looks', async () => {
  const counted = (known?: ReturnType<typeof look>['ledger']) =>
    look(known, { root, registry: open().registry }, () => true).ledger
  const moves = (ledger: ReturnType<typeof look>['ledger']) => ledger.teams.docs?.totals.transitions
  const team = await onboard()
  await beginMission(team, 'Explain it')
  // it lags behind what the first one did
  const before = counted()
  await failAMission(team)
  const known = counted(before)
  await offboard()
  const second = await onboard()
  await failAMission(second)
  const once = { 'preparing scanning': 1, 'scanning failed': 1 }
  expect(moves(known)).toEqual(once)
  expect(moves(counted())).toEqual(once)
  for (const ledger of [counted(known), counted(counted(known))])
    expect(moves(ledger)).toEqual({ 'preparing scanning': 2, 'scanning failed': 2 })
  expect(moves(counted(before))).toEqual(once)
})

test('a team whose life somebody removed is followed by one that no late commit reaches', async () => {
  const team = await onboard()
  await failAMission(team)
  const head = team.actor.lifecycle.read()
  rmSync(path.join(team.actor.workspace, '.fed'), { recursive: true })
  await offboard()
  await onboard()
  const begun = await headOf()
  expect(begun?.version).toBeGreaterThan(head?.version ?? 0)
  expect(team.actor.lifecycle.commit(head, head?.content as Lifecycle)).toBeUndefined()
  expect((await headOf())?.commit).toBe(begun?.commit)
})
