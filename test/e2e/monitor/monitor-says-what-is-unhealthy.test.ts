// Proves that a monitoring cycle finds each thing that is not healthy, names it with a remedy and exits 1, and that
// it raises no false alarm: not for who is paused, finished, waits or has no mission. Fails when one is missed.
//
// The lines of the specification's §6 and §8, and where each is proved:
//   four kinds of signal           protocol-validates-what-comes-from-outside, protocol-names-events
//   a summary after every cycle    chat-summary-follows-each-cycle
//   @<federationName> is acted on  chat-words-become-commands, chat-commands-are-done-once
//   three metrics of deliverables  telemetry-says-what-the-files-say, deliverable-figures-are-exact
//   deliverable exists, not empty  here: the deliverable of a complete team
//   status within 10 minutes       here: a status that was not updated for ten minutes
//   no errors in logs              here: the last session, an error counts until; monitor-knows-an-error-in-a-log
//   durations are not enforced     here: however long a state takes, it is entered and left as ever
//   contents over 500 words        deliverable-broken-rules-name-their-line
//   summary of 2-3 sentences       deliverable-broken-rules-name-their-line
//   subjects are short             signals-are-never-lost-or-overwritten (200 characters at most)
import { rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { monitor, openFederation } from '../../../src/index.ts'
import { fed, fedDone, newFederation, workspaceOf } from '../../support/fed.ts'
import { ahead, completeTeam, cycle, kindsOf, recordSession } from '../../support/monitored.ts'
import { someOf } from '../../support/thorough.ts'

let root: string
const own = (...names: string[]) => path.join(workspaceOf(root, 'docs'), ...names)

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it' })
})

test('a federation that has just begun is healthy', async () => {
  expect(await cycle(root)).toMatchObject({ healthy: true, findings: [], teams: [{ healthy: true }] })
})

describe('the deliverable of a complete team', () => {
  test.each(['deliverable.md', 'result.json'])('%s exists and is not empty', async (name) => {
    const { root: other, workspace } = await completeTeam()
    const file = path.join(workspace, name)
    writeFileSync(path.join(other, 'federate.config.json'), JSON.stringify({ deliverable: name }))
    if (name !== 'deliverable.md') writeFileSync(file, '{"title": "x"}')
    expect(kindsOf(await cycle(other))).toEqual([])
    truncateSync(file)
    const [empty] = (await cycle(other)).findings
    expect(empty).toMatchObject({
      kind: 'deliverable',
      team: 'team',
      message: expect.stringContaining('is empty'),
    })
    rmSync(file)
    const [gone] = (await cycle(other)).findings
    expect(gone?.message).toContain(`${file} is not there`)
    expect(gone?.fix).toContain('fed launch --team team --reset')
    await fedDone(other, ['archive', 'team'])
    expect(kindsOf(await cycle(other))).toEqual([])
  })
})

describe('a status that was not updated for ten minutes', () => {
  const late = async () => kindsOf(await cycle(root, 11))

  test('is late while the team works, and says how to go on', async () => {
    expect(kindsOf(await cycle(root, 9))).toEqual([])
    const { findings } = await cycle(root, 11)
    expect(findings).toMatchObject([
      {
        kind: 'late',
        message: expect.stringMatching(/^nothing happened for 11 min; it is preparing since /),
        fix: "'fed launch --team docs' carries on",
      },
    ])
  })

  test('is told as well where the last move is dated into the future', async () => {
    expect(kindsOf(await cycle(root, -9))).toEqual([])
    const { findings } = await cycle(root, -25 * 60)
    expect(findings).toMatchObject([
      { kind: 'late', message: expect.stringMatching(/^its last move is dated (24|25) h from now/) },
    ])
  })

  test('is none of a team without a mission, or one that is paused, archived or finished', async () => {
    await fedDone(root, ['onboard', 'idle', '--archetype', 'deliverable'])
    await fedDone(root, ['pause', 'docs'])
    expect(await late()).toEqual([])
    await fedDone(root, ['archive', 'docs'])
    expect(await late()).toEqual([])
  })

  test('is none of a team that waits for others', async () => {
    const federation = await openFederation(root)
    await federation.onboard({ domain: 'advisor', archetype: 'consultant' })
    await fedDone(root, ['pause', 'docs'])
    await fedDone(root, ['send', 'advisor', '--type', 'directive', '--subject', 'Know the storage'])
    await fedDone(root, ['report', 'domain-mapped', '--team', 'advisor', '--body', 'src'])
    expect(await late()).toEqual(['advisor: late'])
    await fedDone(root, [
      'learn',
      'It is',
      '--team',
      'advisor',
      '--category',
      'discovery',
      '--confidence',
      'high',
    ])
    await fedDone(root, ['report', 'index-built', '--team', 'advisor'])
    expect(await late()).toEqual([])
  })

  test('is none while its agent logs findings; what it prints is no progress', async () => {
    const soon = new Date(Date.now() + 5 * 60_000)
    const log = recordSession(root, 'docs', { end: { exitCode: 0, cause: 'ended' } })
    expect(await late()).toEqual(['docs: late'])
    utimesSync(log, soon, soon)
    expect(await late()).toEqual(['docs: late'])
    rmSync(own('.fed', 'sessions'), { recursive: true })
    await fedDone(root, [
      'learn',
      'It is',
      '--team',
      'docs',
      '--category',
      'discovery',
      '--confidence',
      'high',
    ])
    utimesSync(own('.fed', 'learnings.jsonl'), soon, soon)
    expect(await late()).toEqual([])
  })
})

test('however long a state takes, it is entered and left as ever', async () => {
  const day = 24 * 60
  expect(kindsOf(await cycle(root, day))).toContain('docs: late')
  const plan = ['report', 'mission-planned', '--team', 'docs', '--body', 'src/app.ts']
  await fedDone(root, plan, ahead(day))
  expect((await cycle(root, day)).teams).toMatchObject([{ state: 'scanning' }])
})

describe('the last session', () => {
  const found = async () => (await cycle(root)).findings.map(({ kind, message }) => `${kind} ${message}`)

  test.each<[string, Parameters<typeof recordSession>[2], RegExp]>([
    [
      'that died',
      {},
      /^session-died session 1 \(scribe\) died, process 99999999, and nobody recorded its end/,
    ],
    [
      'that died with its launcher',
      { end: { exitCode: null, cause: 'lost' } },
      /^session-died .* its launcher$/,
    ],
    [
      'that could not be supervised',
      { end: { exitCode: null, cause: 'error' } },
      /^session-error .* supervised/,
    ],
    ['that refused', { end: { exitCode: 5, cause: 'ended' } }, /^session-error .* refused the mission/],
    [
      'that exited 3',
      { end: { exitCode: 3, cause: 'ended' }, log: 'all is well\nthe quota is used up\n' },
      /^session-error .* exit code 3: the quota is used up$/,
    ],
    [
      'whose log ends with an error',
      { end: { exitCode: 0, cause: 'ended' }, log: 'I begin\nfatal: no credentials\n' },
      /^session-error .* in its log: fatal: no credentials$/,
    ],
    [
      'with an error in the middle of its log',
      { end: { exitCode: 0, cause: 'ended' }, log: 'I begin\nfatal: no credentials\nI go on\nDone.\n' },
      /^session-error .* in its log: fatal: no credentials$/,
    ],
  ])('%s', async (_, session, message) => {
    recordSession(root, 'docs', session)
    expect(await found()).toEqual([expect.stringMatching(message)])
    await fedDone(root, ['pause', 'docs'])
    await fedDone(root, ['archive', 'docs'])
    expect(await found()).toEqual([])
  })

  test.each(someOf(['finished', 'paused', 'interrupted', 'timed-out', 'unwanted'], 2))(
    'that fed stopped (%s) had no error, whatever its log says',
    async (cause) => {
      recordSession(root, 'docs', { end: { exitCode: 143, cause }, log: 'error: interrupted\n' })
      expect(await found()).toEqual([])
    },
  )
})

test('an error counts until a session after it went well, whatever fed stopped in between', async () => {
  const broken = { end: { exitCode: 0, cause: 'ended' }, log: 'fatal: no credentials\nI go on\n' } as const
  recordSession(root, 'docs', broken)
  recordSession(root, 'docs', { number: 2, end: { exitCode: 143, cause: 'interrupted' } })
  recordSession(root, 'docs', { number: 3, isRunning: true })
  const { findings } = await cycle(root)
  expect(findings).toMatchObject([
    { kind: 'session-error', message: expect.stringMatching(/^session 1 .* no credentials$/) },
  ])
  expect(findings[0]?.fix).toContain('session 3 is at work')
  recordSession(root, 'docs', { number: 4, end: { exitCode: 0, cause: 'ended' } })
  recordSession(root, 'docs', { number: 5, end: { exitCode: 143, cause: 'interrupted' } })
  expect(kindsOf(await cycle(root))).toEqual([])
})

test('signals that wait for an hour are told with their age, those of a paused team as well', async () => {
  await fedDone(root, ['send', 'docs', '--type', 'report', '--subject', 'Ports are open'])
  expect((await cycle(root)).teams).toMatchObject([{ waiting: 1, waitingSince: expect.any(String) }])
  const { findings } = await cycle(root, 61)
  expect(findings.find(({ kind }) => kind === 'unacknowledged')).toMatchObject({
    message: "1 signal waits for more than an hour, the oldest for 61 min: report 'Ports are open' from meta",
    fix: expect.stringContaining("'fed inbox docs'"),
  })
  await fedDone(root, ['pause', 'docs'])
  expect(kindsOf(await cycle(root, 61))).toEqual(['docs: unacknowledged'])
})

test('what was set aside is told until it is gone', async () => {
  const bad = own('.fed', 'signals', 'inbox', 'bad.json')
  writeFileSync(bad, 'x')
  const old = new Date(Date.now() - 60_000)
  utimesSync(bad, old, old)
  expect(kindsOf(await cycle(root))).toEqual(['docs: quarantine'])
  rmSync(own('.fed', 'signals', 'quarantine'), { recursive: true })
  expect(kindsOf(await cycle(root))).toEqual([])
})

test('a team that failed says why until it is put away', async () => {
  await fedDone(root, ['alert', 'information-missing', '--team', 'docs', '--body', 'there is no source'])
  const { findings } = await cycle(root)
  expect(findings).toMatchObject([
    {
      kind: 'failed',
      message: expect.stringContaining('there is no source'),
      fix: expect.stringContaining('--reset'),
    },
  ])
  await fedDone(root, ['archive', 'docs'])
  expect(kindsOf(await cycle(root))).toEqual([])
})

test('a team whose workspace is gone does not hide what is wrong with another', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable'])
  rmSync(own(), { recursive: true })
  recordSession(root, 'api', {})
  const report = await cycle(root)
  expect(kindsOf(report)).toEqual(['docs: unreadable', 'api: session-died'])
  for (const { fix } of report.findings) expect(fix).toMatch(/'fed [a-z]+/)
})

test('the table shows the unhealthy first, and colours only at a terminal', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable'])
  recordSession(root, 'docs', {})
  const { code, stdout } = await fed(root, ['monitor'])
  expect(code).toBe(1)
  const lines = stdout.split('\n')
  expect(lines[0]).toMatch(/ {2}2 teams, 1 unhealthy, 1 not started, 0 unread for meta$/)
  expect(lines[1]).toMatch(/^✗ docs {2}deliverable {2}preparing {2}active /)
  expect(lines[2]).toMatch(/^ {4}session-died: /)
  expect(lines[3]).toMatch(/^ {4}→ 'fed launch --team docs --agent scribe'/)
  expect(lines[4]).toMatch(/^· api {3}deliverable {2}preparing {2}active /)
  const quiet = await fed(root, ['monitor', '--quiet'])
  expect(quiet.stdout).not.toContain('api')
})

test('the library says the same as the command', async () => {
  recordSession(root, 'docs', {})
  expect(kindsOf(await monitor(await openFederation(root)))).toEqual(kindsOf(await cycle(root)))
})
