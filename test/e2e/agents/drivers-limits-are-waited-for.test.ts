// An agent that is over a limit of its provider pauses its team until the time that it told, and whoever looks then
// lets the team go on: the launch that waits, a later launch, the monitor. It fails when a limit costs the mission,
// when a team goes on too early or never, or when a pause of a person's is undone.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
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
import { ahead } from '../../support/monitored.ts'
import { statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'

let root: string
const program = fileURLToPath(new URL('../../agents/stream-json.mjs', import.meta.url))
const env = (...behaviours: string[]) => ({
  PATH: pathWith({ claude: `exec '${process.execPath}' '${program}' ${behaviours.join(',')} "$@"` }),
})
const command = ['launch', '--team', 'docs', '--agent', 'claude']
const end = (name: string) =>
  JSON.parse(
    readFileSync(path.join(workspaceOf(root, 'docs'), '.fed', 'sessions', `${name}.end.json`), 'utf8'),
  ) as object
const state = async () => (await statusOf(root, 'docs')).state

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer' })
})

test('a launch waits, and goes on when the limit has passed, however often', async () => {
  const more = ['--max-sessions', '1']
  const { code, stderr } = await fed(root, [...command, ...more], { env: env('limited', 'limited', 'good') })
  expect(code).toBe(0)
  expect(stderr).toMatch(/docs waits until 20\d\d-[\d-]+T[\d:.]+Z: its agent is over a limit/)
  expect(end('1-1')).toMatchObject({ cause: 'limited', exitCode: 1 })
  expect(end('1-3')).toMatchObject({ cause: 'finished' })
  const history = await fedJson<{ event: string; outcome: string }[]>(root, ['history', 'docs'])
  const control = history.filter(({ event }) => event.startsWith('directive.')).slice(1)
  expect(control.map(({ event }) => event)).toEqual(
    ['pause', 'resume', 'pause', 'resume'].map((subject) => `directive.${subject}`),
  )
})

test('one that had passed when it was told is waited for as if nobody knew how long', async () => {
  const launcher = startFed(root, command, { env: env('passed') })
  const told = await until('the pause', () => /waits until (\S+):/.exec(launcher.stderr())?.[1])
  launcher.kill('SIGINT')
  expect((await launcher.ended).code).toBe(130)
  expect(Date.parse(told)).toBeGreaterThan(Date.now() + 600_000)
})

describe('one that does not wait leaves the team paused', () => {
  const [tooEarly, afterwards] = [ahead(30), ahead(61)]

  beforeEach(async () => {
    const launcher = startFed(root, command, { env: env('exhausted') })
    await until('the pause', () => launcher.stderr().includes('waits until'))
    launcher.kill('SIGINT')
    const { code, stderr } = await launcher.ended
    expect([code, stderr]).toEqual([130, expect.stringContaining('docs waits for a limit until')])
    expect(await state()).toBe('paused')
  })

  test('and the monitor lets it go on', async () => {
    await fed(root, ['monitor'], tooEarly)
    expect(await state()).toBe('paused')
    await fed(root, ['monitor'], afterwards)
    expect(await state()).toBe('preparing')
    await fedDone(root, command, { env: { ...env('good'), ...afterwards.env } })
  })

  test('and a later launch does', async () => {
    await fedDone(root, command, { env: { ...env('good'), ...afterwards.env } })
    expect(await state()).toBe('complete')
  })

  test('and a person who paused it since is not overruled', async () => {
    await fedDone(root, ['resume', 'docs'])
    await fedDone(root, ['pause', 'docs'])
    await fed(root, ['monitor'], afterwards)
    expect(await state()).toBe('paused')
    const launch = ['launch', '--team', 'docs', '--agent', agent('good')]
    expect(await fed(root, launch, afterwards)).toMatchObject({ code: 5 })
  })
})
