// Proves that a launch starts its agent as it promises: with all that it needs, again while it ends
// unfinished, and not for ever. It fails when an agent misses its prompt, its surroundings or its record, when
// output is lost, or when a mission that nobody finishes is not called failed.
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { agent, fed, fedDone, fedJson, newFederation, startsOf, workspaceOf } from '../../support/fed.ts'
import { historyOf, statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'

let root: string
const workspace = () => workspaceOf(root, 'docs')
const session = (name: string) => path.join(workspace(), '.fed', 'sessions', name)
const launch = ['launch', '--team', 'docs', '--agent']

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain it' })
})

const recorded = (name: string) => JSON.parse(readFileSync(session(name), 'utf8')) as Record<string, unknown>

test('a session is recorded: what was started, how it ended, what was said', async () => {
  await fedDone(root, [...launch, agent('good', 'one two')])
  const words = agent('good', 'one two')
  expect(recorded('1-1.json')).toMatchObject({ mission: 1, number: 1, agent: words })
  expect(recorded('1-1.json').command).toEqual([
    process.execPath,
    expect.stringMatching(/good\.mjs$/),
    'one two',
  ])
  expect(recorded('1-1.end.json')).toMatchObject({ exitCode: 0, cause: 'finished' })
  expect(readFileSync(session('1-1.log'), 'utf8')).toContain('working on aggregating\n')
  expect(readFileSync(session('1-1.prompt.md'), 'utf8')).toContain('# Mission\n\nExplain it')
})

test('an agent finds its federation, its team, its prompt and the same fed', async () => {
  await fedDone(root, [...launch, agent('good', '{prompt}')], { env: { SECRET: 'kept' } })
  const [start] = startsOf(workspace())
  expect(start?.env).toMatchObject({
    FED_ROOT: root,
    FED_TEAM: 'docs',
    FED_WORKSPACE: workspace(),
    FED_PROMPT_FILE: session('1-1.prompt.md'),
    FED_PROMPT: start?.prompt,
  })
  expect(start?.args).toEqual([start?.prompt])
  expect(realpathSync(start?.cwd ?? '')).toBe(realpathSync(root))
})

describe('the prompt', () => {
  test('can be given, or read from a file', async () => {
    await fed(root, [...launch, agent('unfinished', '9'), '--max-sessions', '1', '--prompt', 'Only look'])
    writeFileSync(path.join(root, 'prompt.md'), 'Look twice\n')
    const from = ['--prompt-file', 'prompt.md', '--reset', '--max-sessions', '1']
    await fed(root, [...launch, agent('unfinished', '9'), ...from])
    expect(startsOf(workspace()).map(({ prompt }) => prompt)).toEqual(['Only look', 'Look twice\n'])
  })

  test('that holds a NUL reaches the agent', async () => {
    writeFileSync(path.join(root, 'prompt.md'), 'one\0two')
    await fedDone(root, [...launch, agent('good', '{prompt}'), '--prompt-file', 'prompt.md'])
    const [start] = startsOf(workspace())
    expect(start).toMatchObject({ prompt: 'one\0two', args: ['one\uFFFDtwo'] })
    expect(start?.env.FED_PROMPT).toBe('one\uFFFDtwo')
  })

  test('that is longer than an argument may be stands in its file', async () => {
    const long = 'word '.repeat(60_000)
    writeFileSync(path.join(root, 'prompt.md'), long)
    await fedDone(root, [...launch, agent('good', '{prompt}'), '--prompt-file', 'prompt.md'])
    const [start] = startsOf(workspace())
    expect(start?.prompt).toBe(long)
    expect(start?.args).toEqual([expect.stringContaining(session('1-1.prompt.md'))])
  })
})

describe('an agent that ends unfinished', () => {
  test('is started again, and told where to go on', async () => {
    await fedDone(root, [...launch, agent('unfinished', '2')])
    const prompts = startsOf(workspace()).map(({ prompt }) => prompt)
    expect(prompts).toHaveLength(3)
    expect(prompts[0]).not.toContain('An earlier session')
    expect(prompts[2]).toContain(
      "An earlier session of this mission ended before the mission did. Go on where it stopped: the team is in state 'preparing'",
    )
    expect(['1-1', '1-2', '1-3'].map((name) => recorded(`${name}.end.json`).cause)).toEqual([
      'ended',
      'ended',
      'finished',
    ])
  })

  test('too often fails the mission', async () => {
    const { code, stdout } = await fed(root, [...launch, agent('crashing'), '--max-sessions', '2'])
    expect([code, stdout]).toEqual([
      1,
      `docs failed: the agent ended 2 sessions without finishing; the last one exited 1, its output is in ${session('1-2.log')}\n`,
    ])
    expect(startsOf(workspace())).toHaveLength(2)
    expect(readFileSync(session('1-2.log'), 'utf8')).toContain('Error: the model is not reachable')
    const history = await historyOf(root, 'docs')
    expect(history.at(-1)).toMatchObject({ event: 'alert.session-exhausted', from: 'scanning', to: 'failed' })
    const again = await fed(root, [...launch, agent('good')])
    expect([again.code, again.stderr]).toEqual([
      5,
      expect.stringContaining("'fed launch --team docs --reset'"),
    ])
  })

  test('is no agent when it cannot be started at all', async () => {
    writeFileSync(path.join(root, 'agent.txt'), 'not executable')
    expect(await fed(root, [...launch, './agent.txt'])).toMatchObject({ code: 2, stdout: '' })
    expect(await fed(root, [...launch, './src'])).toMatchObject({ code: 2 })
    expect(existsSync(session('1-1.json'))).toBe(false)
  })
})

test('a flood is kept whole, and drowns nothing', async () => {
  const { code, stderr } = await fed(root, [...launch, agent('flooding')])
  expect(code).toBe(0)
  const log = readFileSync(session('1-1.log'), 'utf8')
  expect(log.match(/überflüssig /g)).toHaveLength(4 * 90_000)
  expect(log).not.toContain('\uFFFD')
  expect(stderr.length).toBeLessThan(20_000)
  expect(stderr).not.toContain('\u001B')
})

test('--reset begins the mission anew', async () => {
  await fed(root, [...launch, agent('crashing'), '--max-sessions', '1'])
  await fedDone(root, [...launch, agent('good'), '--reset'])
  expect(await statusOf(root, 'docs')).toMatchObject({
    state: 'complete',
    missionNumber: 2,
    mission: { subject: 'Explain it' },
  })
  expect(recorded('2-1.end.json')).toMatchObject({ cause: 'finished' })
})

describe('several teams', () => {
  test('work side by side, and one that cannot does not keep the others from it', async () => {
    for (const team of ['api', 'idle']) await fedDone(root, ['onboard', team, '--archetype', 'deliverable'])
    await fedDone(root, ['send', 'api', '--type', 'directive', '--subject', 'Explain the API'])
    const { code, stdout, stderr } = await fed(root, [
      ...['launch', '--teams', 'docs, idle,api,docs', '--agent', agent('good')],
    ])
    expect(code).toBe(5)
    expect(stdout).toMatch(
      /^\S+docs\/deliverable\.md\n.*\nidle stopped: idle has no mission; .*\n\S+api\/deliverable/,
    )
    expect(stderr).toMatch(/docs complete[^]*/)
    expect(startsOf(workspace())).toHaveLength(1)
    expect(startsOf(workspaceOf(root, 'api'))).toHaveLength(1)
  })

  test('--all means those that have work', async () => {
    await fedDone(root, ['onboard', 'idle', '--archetype', 'deliverable'])
    const all = ['launch', '--all', '--agent', agent('good')]
    expect(await fedDone(root, all)).toContain('docs/deliverable.md')
    expect(await fedDone(root, all)).toBe('no team has a mission to work on\n')
    expect(await fedJson(root, all)).toEqual([])
  })
})

describe('--detach', () => {
  test('goes on in the background', async () => {
    const started = await fedJson<{ pid: number; log: string }>(root, [...launch, agent('good'), '--detach'])
    await until('the deliverable in the log', () =>
      readFileSync(started.log, 'utf8').includes('deliverable.md'),
    )
    expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete' })
  })

  test('says at once what speaks against it', async () => {
    expect(await fed(root, [...launch, 'gpt-17', '--detach'])).toMatchObject({ code: 2, stdout: '' })
    await fedDone(root, ['pause', 'docs'])
    expect(await fed(root, [...launch, agent('good'), '--detach'])).toMatchObject({ code: 5, stdout: '' })
  })
})
