// Proves that a cycle notes what teams did, and where they stand, in one write of the registry; that it writes
// nothing when nothing changed, also beside another monitor; and that sending writes once for all that is sent.
// Fails when a write is missing, or one too many.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { readPresent } from '../../../src/engine/step/present.ts'
import { monitor as monitorFrom, openFederation, type Federation } from '../../../src/index.ts'
import { compose } from '../../../src/records/signals/compose.ts'
import { deliverAll } from '../../../src/records/signals/deliver.ts'
import { newFederation } from '../../support/federation.ts'
import { atOnce } from '../../support/twins.ts'
import { until } from '../../support/until.ts'

const teams = ['api', 'docs', 'site']
let root: string
let federation: Federation

beforeEach(async () => {
  root = newFederation()
  federation = await openFederation(root)
  for (const domain of teams) await federation.onboard({ domain, archetype: 'deliverable' })
})

const version = () => federation.registry.read().lockVersion
const entry = (team: string) => federation.registry.entry(team)
/** In another process nothing is remembered. */
const monitor = async () => monitorFrom(await openFederation(root))

function editStatus(team: string, status: string): void {
  const { teams: entries, ...registry } = structuredClone(federation.registry.read())
  const edited = entries.map((one) => (one.domainId === team ? { ...one, status } : one))
  const file = path.join(root, '.fed', 'team-registry.json')
  writeFileSync(file, JSON.stringify({ ...registry, teams: edited }))
}

test('a thousand signals that a team sends at once are one write, those of meta none', async () => {
  const before = version()
  const draft = { from: 'meta', to: 'api', type: 'report', subject: 'Part' } as const
  await federation.send(draft)
  expect(version()).toBe(before)
  const sent = await federation.sendMany(Array.from({ length: 1000 }, () => ({ ...draft, from: 'docs' })))
  expect(version()).toBe(before + 1)
  const last = sent.at(-1)?.timestamp as string
  expect(Date.parse(entry('docs').lastActive as string)).toBeGreaterThanOrEqual(Date.parse(last))
  for (const other of ['api', 'site']) expect(entry(other).lastActive).toBeUndefined()
})

test('the first cycle notes all teams in one write, the next ones write nothing', async () => {
  const before = version()
  await monitor()
  expect(version()).toBe(before + 1)
  for (const team of teams)
    expect(entry(team).lastActive).toBe((await (await federation.team(team)).status()).since)
  await monitor()
  await monitorFrom(federation)
  await monitorFrom(federation)
  expect(version()).toBe(before + 1)
})

test('a signal that another program sent for a team is its activity, in the same process and in another', async () => {
  await monitorFrom(federation)
  await monitorFrom(federation)
  for (const cycle of [() => monitorFrom(federation), monitor]) {
    const sentAt = new Date(Date.parse(entry('docs').lastActive as string) + 2000).toISOString()
    await until('the next second', () => Date.now() >= Date.parse(sentAt))
    const signal = compose({ from: 'docs', to: 'api', type: 'report', subject: 'Part' })
    const [from, to] = [federation.mailbox('docs'), federation.mailbox('api')]
    await deliverAll([{ signal, from, to }])
    const { timestamp } = signal
    const before = version()
    const report = await cycle()
    expect(version()).toBe(before + 1)
    const { lastActive } = entry('docs')
    expect(lastActive).toBe(`${timestamp.slice(0, 19)}.000Z`)
    expect(report.teams.find(({ team }) => team === 'docs')?.lastActive).toBe(lastActive)
  }
})

test('a commit is activity, and takes back once what a clock told that was wrong', async () => {
  await monitor()
  const known = entry('docs').lastActive
  const future = '2999-01-01T00:00:00.000Z'
  federation.registry.updateEntries((one) => (one.domainId === 'docs' ? { ...one, lastActive: future } : one))
  await monitor()
  const before = version()
  await monitor()
  expect([version(), entry('docs').lastActive]).toEqual([before, known])
  await federation.send({ from: 'meta', to: 'api', type: 'directive', subject: 'Explain it' })
  await monitor()
  const { head } = readPresent((await federation.team('api')).actor)
  expect([version(), entry('api').lastActive]).toEqual([before + 1, head.content.at])
})

test('statuses that were edited by hand say in one write what the lifecycles say', async () => {
  await (await federation.team('api')).pause()
  await monitor()
  editStatus('docs', 'paused')
  const before = version()
  await monitor()
  expect(teams.map((team) => entry(team).status)).toEqual(['paused', 'active', 'active'])
  expect(version()).toBeLessThanOrEqual(before + 2)
})

test('several monitors at once come to the same and then write nothing', async () => {
  await monitor()
  const before = version()
  const rounds = 12
  await atOnce(root, ['monitor', 'monitor', 'monitor'], rounds, async (round) => {
    const subject = round % 2 === 1 ? 'pause' : 'resume'
    await federation.sendMany(teams.map((to) => ({ from: 'meta', to, type: 'directive', subject }) as const))
  })
  await monitor()
  const settled = version()
  // each move of each team is levelled by whoever makes it, and noted at most once more
  expect(settled - before).toBeLessThanOrEqual(rounds * teams.length * 2 + 1)
  await monitor()
  await monitor()
  expect(version()).toBe(settled)
  for (const team of teams) expect(entry(team).status).toBe('active')
})
