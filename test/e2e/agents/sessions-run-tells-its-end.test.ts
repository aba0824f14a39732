// Proves that a `fed run` which was killed when its mission had ended tells that end when it is given again, once;
// only then does the same command begin a new mission. It fails when finished work is done again, or not told.
import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TeamStatus } from '../../../src/index.ts'
import {
  agent,
  builtFed,
  fed,
  fedDone,
  fedJson,
  newFolder,
  newRepository,
  startFed,
  startsOf,
  workspaceOf,
} from '../../support/fed.ts'
import { until } from '../../support/until.ts'
import { someOf } from '../../support/thorough.ts'

const mission = 'Explain the answer'
const held = ['--confinement', 'off']
const good = [...held, '--agent', agent('good')]
const told = (root: string) =>
  `${path.join(workspaceOf(root, 'docs'), 'deliverable.md')}\n194 bytes, 24 words, 2 sections, 1 code example, 0 diagrams\n`

let root: string
const status = () => fedJson<TeamStatus>(root, ['status', 'docs'])
/** Also while nothing is set up yet. */
const isIn = (state: string) => {
  const file = path.join(workspaceOf(root, 'docs'), '.fed', 'lifecycle.json')
  return existsSync(file) && new RegExp(`"to": ?"${state}"`).test(readFileSync(file, 'utf8'))
}
beforeEach(() => {
  root = newRepository()
})

/** Its agent stays when its work is done, so that the run has yet to say so when it is killed. */
async function killedWhen(state: string, agentArgs: string[]): Promise<void> {
  const run = startFed(root, ['run', mission, ...held, '--agent', agent('writing', 'notes.md', ...agentArgs)])
  await until(`${state}, and its edit`, () => isIn(state) && existsSync(path.join(root, 'notes.md')))
  run.kill('SIGKILL')
  await run.ended
}

test.skipIf(!existsSync('/dev/full'))('what could not be printed is told by the same command', async () => {
  const full = openSync('/dev/full', 'w')
  const first = spawnSync(process.execPath, [builtFed, 'run', mission, ...good], {
    cwd: root,
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  expect([first.status, String(first.stderr)]).toEqual([1, expect.stringContaining('could not be printed')])
  const again = await fed(root, ['run', mission, ...good])
  expect(again).toMatchObject({ code: 0, stdout: told(root) })
  expect(await status()).toMatchObject({ state: 'complete', missionNumber: 1 })
})

describe('killed after its mission was complete', () => {
  beforeEach(() => killedWhen('complete', ['complete', 'stays']))

  test('the same command tells the end, and what changed meanwhile; then it begins anew', async () => {
    const again = await fed(root, ['run', mission, ...good])
    expect(again).toMatchObject({ code: 0, stdout: told(root) })
    expect(again.stderr).toContain(
      'docs has ended this mission already, and the run that saw it through could not',
    )
    expect(await status()).toMatchObject({ state: 'complete', missionNumber: 1 })
    expect(startsOf(workspaceOf(root, 'docs'))).toHaveLength(1)
    expect(again.stderr).toContain('the codebase changed meanwhile: A notes.md')

    const deliberate = await fed(root, ['run', mission, ...good])
    expect(deliberate).toMatchObject({ code: 0, stdout: told(root) })
    expect(await status()).toMatchObject({ state: 'complete', missionNumber: 2 })
  })

  test('as JSON it is the document that the killed run would have printed', async () => {
    const conclusion = await fedJson(root, ['run', mission, ...good])
    expect(conclusion).toMatchObject({ team: 'docs', state: 'complete', figures: { words: 24 }, exitCode: 0 })
    expect(startsOf(workspaceOf(root, 'docs'))).toHaveLength(1)
  })

  test.each([
    ['another mission', ['Explain the question']],
    ['--reset', [mission, '--reset']],
  ])('%s begins at once', async (_, words) => {
    await fedDone(root, ['run', ...words, ...good])
    expect(await status()).toMatchObject({ state: 'complete', missionNumber: 2 })
  })

  test.each(
    someOf(
      [
        'not JSON',
        '{"format":"fed-awaited-end-1","mission":0}',
        '{"format":"fed-awaited-end-1","mission":7}',
      ],
      1,
    ),
  )('a note that says %s is none', async (note) => {
    const file = path.join(workspaceOf(root, 'docs'), '.fed', 'awaited-end.json')
    rmSync(file)
    writeFileSync(file, note)
    await fedDone(root, ['run', mission, ...good])
    expect(await status()).toMatchObject({ missionNumber: 2 })
  })
})

test('commands that are refused meanwhile take the end from nobody', async () => {
  const hold = newFolder('hold')
  const works = agent('writing', 'notes.md', 'complete', 'stays')
  const wait = `touch '${hold}/begun'; until [ -e '${hold}/over' ]; do sleep 0.05; done; exec ${works}`
  const run = startFed(root, ['run', mission, ...held, '--agent', `sh -c "${wait}"`])
  await until('its agent', () => existsSync(path.join(hold, 'begun')))
  expect((await fed(root, ['run', mission, ...good])).code).toBe(5)
  expect((await fed(root, ['launch', 'docs', ...good])).code).not.toBe(0)
  writeFileSync(path.join(hold, 'over'), '')
  await until('its end', () => isIn('complete') && existsSync(path.join(root, 'notes.md')))
  run.kill('SIGKILL')
  await run.ended
  const again = await fed(root, ['run', mission, ...good])
  expect(again).toMatchObject({ code: 0, stdout: told(root) })
  expect(await status()).toMatchObject({ state: 'complete', missionNumber: 1 })
})

test('killed in the middle, the mission goes on; what a launch told is told', async () => {
  await killedWhen('scanning', ['scanning', 'stays'])
  await fed(root, ['launch', '--team', 'docs', ...good])
  await fedDone(root, ['resume', 'docs'])
  await fedDone(root, ['launch', '--team', 'docs', ...good])
  expect(await status()).toMatchObject({ state: 'complete', missionNumber: 1 })
  await fedDone(root, ['run', mission, ...good])
  expect(await status()).toMatchObject({ state: 'complete', missionNumber: 2 })
})

test('killed after its mission failed: the same command tells the reason, and then tries again', async () => {
  const alert = `sh -c 'fed alert information-missing --body "There is no API"; sleep 60'`
  const run = startFed(root, ['run', mission, ...held, '--agent', alert])
  await until('its end', () => isIn('failed'))
  run.kill('SIGKILL')
  await run.ended
  const again = await fed(root, ['run', mission, ...good])
  expect(again).toMatchObject({ code: 1, stdout: expect.stringContaining('There is no API') })
  expect(await fed(root, ['run', mission, ...good])).toMatchObject({ code: 0, stdout: told(root) })
})
