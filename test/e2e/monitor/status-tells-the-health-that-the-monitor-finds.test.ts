// Proves that `fed status` says of each team what a monitoring cycle would say, in the same words, without changing
// anything. It fails when the two disagree, when something unhealthy is left out, or when looking writes a file.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { HealthFinding } from '../../../src/index.ts'
import { everythingIn } from '../../support/damaged-federation.ts'
import { fed, fedDone, newFederation, workspaceOf } from '../../support/fed.ts'
import { ahead, completeTeam, cycle, recordSession } from '../../support/monitored.ts'

interface Health {
  readonly team: string
  readonly healthy: boolean
  readonly started: boolean
  readonly findings: readonly HealthFinding[]
}

/** What the ages in a message are depends on the second in which it is asked for. */
const withoutAges = (findings: readonly HealthFinding[]) =>
  findings.map((finding) => ({ ...finding, message: finding.message.replaceAll(/\d+ (?:s|min)/g, '…') }))

const wordsOn = ({ team, healthy, started, findings }: Health) => [
  ...[team, healthy, started],
  withoutAges(findings),
]

/** What status says, which must be what the monitor says after it. */
async function healthOf(root: string, minutes = 0): Promise<Health[]> {
  const before = everythingIn(root)
  const { code, stdout } = await fed(root, ['status', '--json'], ahead(minutes))
  expect(everythingIn(root)).toEqual(before)
  expect(code).toBe(0)
  const teams = JSON.parse(stdout) as Health[]
  const told = await cycle(root, minutes)
  expect(teams.map((team) => wordsOn(team))).toEqual(told.teams.map((team) => wordsOn(team)))
  return teams
}

const kinds = (teams: readonly Health[]) =>
  teams.flatMap(({ team, findings }) => findings.map(({ kind }) => `${team}: ${kind}`))

test('who is healthy, and who is late', async () => {
  const root = await newFederation({ docs: 'Explain it', idle: undefined })
  expect(kinds(await healthOf(root))).toEqual([])
  expect(kinds(await healthOf(root, 11))).toEqual(['docs: late'])
  const late =
    /late: nothing happened for 11 min; it is preparing since .*; 'fed launch --team docs' carries on$/
  const one = await fed(root, ['status', 'docs'], ahead(11))
  expect(one.stdout.split('\n')).toContainEqual(expect.stringMatching(late))
  const [docs, below, idle, ...rest] = (await fed(root, ['status'], ahead(11))).stdout.trimEnd().split('\n')
  expect([docs, below, idle, rest]).toEqual([
    expect.stringMatching(/^docs /),
    expect.stringMatching(late),
    expect.stringMatching(/^idle /),
    [],
  ])
})

test('a team that was never launched is not healthy but not started', async () => {
  const root = await newFederation({
    docs: 'Explain it',
    idle: undefined,
    moved: 'Explain it',
    ran: 'Explain it',
    held: 'Explain it',
  })
  await fedDone(root, ['report', 'mission-planned', '--team', 'moved', '--body', 'src/app.ts'])
  recordSession(root, 'ran', { end: { exitCode: 0, cause: 'ended' } })
  await fedDone(root, ['pause', 'held'])
  const started = (await healthOf(root)).map(({ team, healthy, started: has }) => [team, healthy, has])
  expect(started).toEqual([
    ['docs', true, false],
    ['idle', true, false],
    ['moved', true, true],
    ['ran', true, true],
    ['held', true, false],
  ])
  const status = (team: string) => fedDone(root, ['status', team])
  expect(await status('docs')).toContain("\nhealth: not started; 'fed launch --team docs' begins\n")
  expect(await status('idle')).toContain(`\nhealth: not started; 'fed run --team idle "<mission>"' begins\n`)
  expect(await status('moved')).toContain('\nhealth: nothing is wrong\n')
  expect(await fedDone(root, ['status'])).toMatch(
    /^docs .* 0 waiting, not started .*\nidle .* not started .*\nmoved (?!.*not started)/,
  )
  expect(await fedDone(root, ['monitor'])).toMatch(
    /5 teams, 2 healthy, 3 not started, 0 unread for meta\n· docs .* not started\n· idle .* not started\n✓ moved (?!.*not started).*\n✓ ran /,
  )
})

test('a session that died, an error in a log, and what lies in quarantine', async () => {
  const root = await newFederation({ docs: 'Explain it', notes: 'Explain it', api: 'Explain it' })
  recordSession(root, 'docs', {})
  recordSession(root, 'notes', { end: { exitCode: 0, cause: 'ended' }, log: 'ERROR: no tokens left\n' })
  const quarantine = path.join(workspaceOf(root, 'api'), '.fed', 'signals', 'quarantine')
  mkdirSync(quarantine, { recursive: true })
  writeFileSync(path.join(quarantine, 'x.json'), 'x')
  expect(kinds(await healthOf(root))).toEqual([
    'docs: session-died',
    'notes: session-error',
    'api: quarantine',
  ])
})

test('a deliverable that is gone, and a failure, which is told once', async () => {
  const { root, workspace } = await completeTeam()
  rmSync(path.join(workspace, 'deliverable.md'))
  await fedDone(root, ['send', 'peer', '--type', 'directive', '--subject', 'Explain it'])
  await fedDone(root, ['alert', 'information-missing', '--team', 'peer', '--body', 'No files'])
  expect(kinds(await healthOf(root))).toEqual(['team: deliverable', 'peer: failed'])
  const text = await fedDone(root, ['status', 'peer'])
  expect(text.match(/No files/g)).toHaveLength(1)
  await fedDone(root, ['archive', 'peer'])
  expect(await fedDone(root, ['status', 'peer'])).toContain('\nfailed: No files\nhealth: nothing is wrong\n')
})
