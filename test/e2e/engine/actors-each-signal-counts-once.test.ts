// Proves that a signal takes effect once, however often it is delivered, whoever steps at the same time and
// wherever a process dies after its commit. Fails when an effect is doubled or lost, or a signal stays behind.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Lifecycle } from '../../../src/engine/decide/lifecycle.ts'
import type { FiledSignal } from '../../../src/records/signals/mailbox.ts'
import { bundle } from '../../support/bundle.ts'
import { inboxOf } from '../../support/federation.ts'
import { start } from '../../support/program.ts'
import { accepted, everySample, type Sample } from '../../support/samples.ts'
import { TestTeam, toldBy } from '../../support/test-team.ts'

const samples = accepted.deliverable as readonly Sample[]
const [mission, pause, resume] = samples as readonly [Sample, Sample, Sample]
const planned = samples.find(({ subject }) => subject === 'mission-planned') as Sample
const unheard = everySample('deliverable').find(({ subject }) => subject === 'nobody-heard-of-it') as Sample

const inbox = (team: TestTeam) => path.join(team.workspace, '.fed', 'signals', 'inbox')
const versions = (team: TestTeam) => path.join(team.workspace, '.fed', 'lifecycle.d')

/** Everything that a team ever told anybody, and what its registry entry and its files say. */
async function world(team: TestTeam) {
  return {
    head: team.head(),
    meta: [...inboxOf(team.root).keys()],
    peer: [...inboxOf(`${team.root}/.fed/teams/peer`).keys()],
    outbox: readdirSync(path.join(team.workspace, '.fed', 'signals', 'outbox')),
    versions: readdirSync(versions(team)).toSorted(),
    status: team.status(),
    unacknowledged: (await team.open()).mailbox.unacknowledgedFiles(),
  }
}

test('a copy under another name is acknowledged as a duplicate, and only that', async () => {
  const team = await TestTeam.begin('deliverable')
  const { file, id } = await team.send(mission)
  await (await team.open()).step()
  const before = await world(team)
  copyFileSync(path.join(inbox(team), file), path.join(inbox(team), 'copy.json'))
  const { handled } = await (await team.open()).step()
  expect(handled).toEqual([expect.objectContaining({ signal: id, file: 'copy.json', outcome: 'duplicate' })])
  expect(existsSync(path.join(inbox(team), 'copy.json.ack'))).toBe(true)
  expect(team.head().snapshot).toEqual(before.head.snapshot)
  expect(inboxOf(team.root).size).toBe(before.meta.length)
})

test('two copies that arrive together count once', async () => {
  const team = await TestTeam.begin('deliverable')
  const { file } = await team.send(mission)
  copyFileSync(path.join(inbox(team), file), path.join(inbox(team), 'copy.json'))
  await (await team.open()).step()
  expect((await toldBy(team)).map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate'])
  expect(team.head().snapshot.context.instructions).toEqual([])
})

test('a copy of a deferred signal is a duplicate as soon as the first one is taken', async () => {
  const team = await TestTeam.begin('deliverable')
  await team.walk([pause])
  const { file } = await team.send(mission)
  copyFileSync(path.join(inbox(team), file), path.join(inbox(team), 'copy.json'))
  expect((await (await team.open()).step()).deferred).toHaveLength(2)
  await team.walk([resume])
  expect((await toldBy(team)).map(({ outcome }) => outcome)).toEqual([
    'accepted',
    'accepted',
    'accepted',
    'duplicate',
  ])
  expect(team.head().snapshot.context.instructions).toEqual([])
})

test.each([
  { lost: 'its acknowledgment', ending: ['.ack'] },
  { lost: 'the mark that its effects are done', ending: ['.done'] },
  { lost: 'both', ending: ['.ack', '.done'] },
])('a process killed after its commit, before $lost, is finished by the next step', async ({ ending }) => {
  const team = await TestTeam.begin('deliverable')
  await team.walk([mission, planned])
  const before = await world(team)
  for (const dir of [inbox(team), versions(team)]) {
    for (const name of readdirSync(dir).filter((one) => ending.some((end) => one.endsWith(end)))) {
      rmSync(path.join(dir, name))
    }
  }
  const { handled } = await (await team.open()).step()
  expect(handled).toEqual([])
  // only the newest commit can be unfinished: nobody commits on one whose effects are not done
  const after = await world(team)
  expect(after).toEqual({ ...before, versions: after.versions })
  expect(after.versions).toContain(`${before.head.version}.done`)
})

test('a process killed between commit and effects leaves them to the next step', async () => {
  const team = await TestTeam.begin('deliverable')
  await team.walk([mission, planned])
  const before = await world(team)
  const [report] = before.meta
  rmSync(path.join(team.root, '.fed', 'signals', 'inbox', report as string))
  rmSync(path.join(versions(team), `${before.head.version}.done`))
  rmSync(path.join(team.workspace, '.fed', 'lifecycle.json'))
  await (await team.open()).step()
  expect(await world(team)).toEqual(before)
})

test('the answer to a question is sent once, whoever sends it again', async () => {
  const consultants = accepted.consultant as readonly Sample[]
  const ways = ['Document the storage', 'domain-mapped', 'index-built', 'Which port', 'answer']
  const team = await TestTeam.begin('consultant')
  await team.walk(ways.map((subject) => consultants.find((one) => one.subject === subject) as Sample))
  const before = await world(team)
  expect(before.peer).toHaveLength(1)
  for (let again = 0; again < 3; again += 1) {
    rmSync(path.join(versions(team), `${before.head.version}.done`))
    await (await team.open()).step()
  }
  expect(await world(team)).toEqual(before)
})

const everything = (team: TestTeam) => {
  const all = [mission, planned, pause, resume, unheard]
  return Promise.all(
    Array.from({ length: 8 }, () => all)
      .flat()
      .map((one) => team.send(one)),
  )
}

/** Every signal handled once, in one unbroken row of commits, and every refusal and move told once. */
async function expectOnce(team: TestTeam, signals: readonly FiledSignal[]) {
  const history = (await team.open()).history()
  expect(history.map(({ signal }) => signal).toSorted()).toEqual(signals.map(({ id }) => id).toSorted())
  expect(history.filter(({ outcome }) => outcome === 'duplicate')).toEqual([])
  for (const [index, { from }] of history.entries()) expect(from).toBe(history[index - 1]?.to ?? 'preparing')
  expect(signals.filter((signal) => !team.isAcknowledged(signal))).toEqual([])
  const told = history.filter(
    ({ outcome, from, to, sender }) => from !== to || (outcome === 'refused' && sender !== 'team'),
  )
  expect(inboxOf(team.root).size).toBe(told.length)
  expect(team.status()).toBe(team.head().snapshot.value === 'paused' ? 'paused' : 'active')
}

test('six steps at once handle each signal once', async () => {
  const team = await TestTeam.begin('deliverable')
  const signals = await everything(team)
  const teams = await Promise.all(Array.from({ length: 6 }, () => team.open()))
  await Promise.all(teams.map((one) => one.step()))
  await expectOnce(team, signals)
})

test('processes that step while others send handle each signal once', async () => {
  const team = await TestTeam.begin('deliverable')
  const program = await bundle('support/step-program.ts')
  const running = Array.from({ length: 4 }, () => start(program, [team.root, 'team', '15']))
  const signals = await everything(team)
  for (const { ended } of running) expect(await ended).toMatchObject({ code: 0, stderr: '' })
  await (await team.open()).step()
  await expectOnce(team, signals)
})

test('processes that are killed while they step leave nothing that the next step does not finish', async () => {
  const team = await TestTeam.begin('deliverable')
  const program = await bundle('support/step-program.ts')
  const signals: FiledSignal[] = []
  for (let round = 1; round <= 4; round += 1) {
    const victims = [1, 2].map(() => start(program, [team.root, 'team', '1000']))
    await Promise.all(victims.map((victim) => victim.lines(1)))
    signals.push(...(await everything(team)))
    await victims[0]?.lines(1 + round)
    for (const victim of victims) victim.kill()
    await Promise.all(victims.map(({ ended }) => ended))
  }
  await (await team.open()).step()
  await expectOnce(team, signals)
})

test('resets while other processes step keep each signal in one mission’s record', async () => {
  const team = await TestTeam.begin('deliverable')
  const program = await bundle('support/step-program.ts')
  const running = Array.from({ length: 3 }, () => start(program, [team.root, 'team', '25']))
  const signals: FiledSignal[] = []
  for (let round = 1; round <= 4; round += 1) {
    await Promise.all(running.map((one) => one.lines(round * 4)))
    signals.push(...(await everything(team)))
    await (await team.open()).reset()
  }
  for (const { ended } of running) expect(await ended).toMatchObject({ code: 0, stderr: '' })
  await (await team.open()).step()
  const missions = [1, 2, 3, 4].map((number) => path.join(team.workspace, '.fed', 'missions', `${number}`))
  const commits = [...missions, versions(team)]
    .flatMap((dir) => readdirSync(dir).map((name) => path.join(dir, name)))
    .filter((file) => /\/\d+\.json$/.test(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Lifecycle)
    .toSorted((a, b) => a.version - b.version)
  expect(commits.map(({ version }) => version)).toEqual(commits.map((_, index) => index + 1))
  const handled = commits.flatMap((commit) => commit.handled.map(({ signal }) => signal))
  expect(handled.toSorted()).toEqual(signals.map(({ id }) => id).toSorted())
  expect(signals.filter((signal) => !team.isAcknowledged(signal))).toEqual([])
})
