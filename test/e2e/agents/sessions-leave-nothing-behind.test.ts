// Proves that a team has one agent at most, and that an agent never outlives its reason: pause, interruption,
// timeout, the launcher's death. It fails when two agents work at once, when a process is left running, or when
// the mission cannot be carried on afterwards.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { identify } from '../../../src/platform/process/process-identity.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import {
  agent,
  builtFed,
  fed,
  fedDone,
  fedJson,
  newFederation,
  startFed,
  startsOf,
  workspaceOf,
} from '../../support/fed.ts'
import { historyOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'
import { someOf } from '../../support/thorough.ts'

let root: string
const workspace = () => workspaceOf(root, 'docs')
const launchWith = (name: string, ...more: string[]) => [
  'launch',
  '--team',
  'docs',
  '--agent',
  agent(name),
  // within walls an agent knows itself by another number than whoever looks for it here
  ...['--confinement', 'off'],
  ...more,
]
const again = (name: string) => `'fed launch --team docs --agent "${agent(name)}"'`
const session = (name: string) =>
  JSON.parse(readFileSync(path.join(workspace(), '.fed', 'sessions', name), 'utf8')) as Record<
    string,
    unknown
  >

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it' })
})

/** Starts a launch and waits until its agent has done its first step; `name` is its session's. */
async function working(agentName: string, name = '1-1') {
  const launcher = startFed(root, launchWith(agentName))
  const log = path.join(workspace(), '.fed', 'sessions', `${name}.log`)
  const agentProcess = await until('the agent at work', () => {
    const said = existsSync(log) ? /ready (\d+)\n/.exec(readFileSync(log, 'utf8')) : null
    return said === null ? undefined : Number(said[1])
  })
  return { launcher, agentProcess }
}

const isGone = (pid: number) => identify(pid) === undefined

/** Whatever happened: the mission is carried on from where it stood, to its end. */
async function carriesOn(): Promise<void> {
  await fedDone(root, launchWith('good'))
  const history = await historyOf(root, 'docs')
  const reports = history.filter(({ event }) => event.startsWith('report.'))
  expect(reports.map(({ event, outcome }) => `${event} ${outcome}`)).toEqual([
    'report.mission-planned accepted',
    'report.files-read accepted',
    'report.patterns-identified accepted',
    'report.document-written accepted',
  ])
}

test('while a session runs, another launch, run or reset is refused', async () => {
  const { launcher, agentProcess } = await working('waiting')
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ session: { running: true } })
  for (const command of [
    launchWith('good'),
    launchWith('good', '--reset'),
    launchWith('good', '--detach'),
    ['run', 'Explain it', '--agent', agent('good')],
  ]) {
    const { code, stdout, stderr } = await fed(root, command)
    expect([code, stdout]).toEqual([5, ''])
    expect(stderr).toMatch(
      /a session of this team already runs \(.*waiting\.mjs.*\); its output is in .*1-1\.log/,
    )
  }
  expect(startsOf(workspace())).toHaveLength(1)
  expect(isGone(agentProcess)).toBe(false)
  launcher.kill('SIGTERM')
  await launcher.ended
})

test('of launches at the very same moment one works', async () => {
  for (let round = 1; round <= 2; round += 1) {
    const over: (number | null)[] = []
    const launches = Array.from({ length: 4 }, () => startFed(root, launchWith('waiting')))
    for (const { ended } of launches) void ended.then(({ code }) => over.push(code))
    await until('the end of all but one', () => over.length >= 3)
    await until('its agent', () => startsOf(workspace()).length >= round)
    expect(over).toEqual([5, 5, 5])
    expect(startsOf(workspace())).toHaveLength(round)
    for (const launch of launches) launch.kill('SIGINT')
    await Promise.all(launches.map(({ ended }) => ended))
    expect(over).toEqual([5, 5, 5, 130])
    const team = await new Federation(root).team('docs')
    await team.reset()
    await beginMission(team, 'Explain it')
  }
})

describe('an agent is stopped', () => {
  test('when its team is paused', async () => {
    const { launcher, agentProcess } = await working('waiting')
    await fedDone(root, ['pause', 'docs'])
    const { code, stdout } = await launcher.ended
    expect([code, stdout]).toEqual([
      5,
      `docs is paused, its agent was stopped; 'fed resume docs' and ${again('waiting')} continue it\n`,
    ])
    expect(isGone(agentProcess)).toBe(true)
    expect(session('1-1.end.json')).toMatchObject({ cause: 'paused', exitCode: 143 })
    await fedDone(root, ['resume', 'docs'])
    await carriesOn()
  })

  test('when its team is put away', async () => {
    const { launcher } = await working('waiting')
    await fedDone(root, ['archive', 'docs'])
    const { code, stdout } = await launcher.ended
    expect([code, stdout]).toEqual([5, expect.stringMatching(/'fed resume docs'/)])
    await fedDone(root, ['restore', 'docs'])
    await fedDone(root, ['resume', 'docs'])
    await carriesOn()
  })

  test('when its time is over', async () => {
    const { code, stdout, stderr } = await fed(root, launchWith('waiting', '--timeout', '2s'))
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/fed: docs was still \w+ when its time was over; /)
    expect(stderr).toContain(`; ${again('waiting')} carries on`)
    expect(
      startsOf(workspace())
        .map(({ pid }) => pid)
        .every(isGone),
    ).toBe(true)
    await carriesOn()
  })

  test.each(someOf(['SIGINT', 'SIGHUP'] as const, 1))('at %s', async (signal) => {
    const { launcher, agentProcess } = await working('waiting')
    launcher.kill(signal)
    const { code, stdout, stderr } = await launcher.ended
    expect([code, stdout]).toEqual([130, ''])
    expect(stderr).toContain(`fed: interrupted; ${again('waiting')} carries on`)
    expect(isGone(agentProcess)).toBe(true)
    expect(session('1-1.end.json')).toMatchObject({ cause: 'interrupted' })
    await carriesOn()
  })

  test.each(['waiting', 'stubborn'])('when its launcher is killed: a %s one', async (name) => {
    const { launcher, agentProcess } = await working(name)
    launcher.kill('SIGKILL')
    await launcher.ended
    if (name === 'waiting') await until('the end of the agent', () => isGone(agentProcess))
    await carriesOn()
    expect(isGone(agentProcess)).toBe(true)
    expect(session('1-1.end.json')).toMatchObject({ cause: 'lost', exitCode: null })
    expect(session('1-2.end.json')).toMatchObject({ cause: 'finished', exitCode: 0 })
  })

  test('by force when it ignores the request', async () => {
    const { launcher, agentProcess } = await working('stubborn')
    launcher.kill('SIGINT')
    expect((await launcher.ended).code).toBe(130)
    expect(isGone(agentProcess)).toBe(true)
    expect(session('1-1.end.json')).toMatchObject({ cause: 'interrupted', exitCode: 137 })
  })
})

test('a launch that still reads its prompt ends at SIGINT', async () => {
  const args = [builtFed, ...launchWith('good', '--prompt-file', '-')]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = once(child, 'exit')
  // more than a pipe holds: it is taken only by a command that reads
  await new Promise((resolve) => child.stdin.write('x'.repeat(1 << 20), resolve))
  child.kill('SIGINT')
  expect(await ended).toEqual([null, 'SIGINT'])
  expect(startsOf(workspace())).toEqual([])
})

test('what an agent started and left is gone with it', async () => {
  await fedDone(root, launchWith('leaving'))
  const log = readFileSync(path.join(workspace(), '.fed', 'sessions', '1-1.log'), 'utf8')
  const children = [...log.matchAll(/child (\d+)/g)].map(([, pid]) => Number(pid))
  expect(children).toHaveLength(2)
  expect(children.every(isGone)).toBe(true)
})

test('a team whose files are damaged under its agent stops it', async () => {
  const { launcher, agentProcess } = await working('waiting')
  const lifecycle = path.join(workspace(), '.fed', 'lifecycle.json')
  rmSync(lifecycle)
  writeFileSync(lifecycle, '{')
  await fedDone(root, ['send', 'docs', '--type', 'report', '--subject', 'Wake up'])
  const { code, stderr } = await launcher.ended
  expect([code, stderr]).toEqual([2, expect.stringContaining('lifecycle.json is damaged')])
  expect(isGone(agentProcess)).toBe(true)
})
