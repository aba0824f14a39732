// Proves that `fed run` is enough: one command from a bare repository to a checked deliverable, and again from
// wherever the team stands. It fails when a mission is begun twice, replaced silently, or an old result is lost.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import { git } from '../../../src/platform/git/git.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import {
  agent,
  fed,
  fedDone,
  newFederation,
  newRepository,
  pathWith,
  startFed,
  startsOf,
  workspaceOf,
} from '../../support/fed.ts'
import { historyOf, statusOf } from '../../support/standing.ts'
import { someOf } from '../../support/thorough.ts'
import { until } from '../../support/until.ts'

const mission = 'Explain the answer'
const good = ['--agent', agent('good')]
const typing = ['--agent', agent('typing')]

async function missionsIn(root: string): Promise<string[]> {
  const history = await historyOf(root, 'docs')
  return history.flatMap(({ type, subject }) => (type === 'directive' ? [subject] : []))
}

describe('from a bare repository', () => {
  test.each(someOf(['with a commit', 'empty'] as const, 4))('%s', async (kind) => {
    const root = newRepository(kind === 'empty' ? 'empty' : undefined)
    const { code, stdout, stderr } = await fed(root, ['run', mission, ...typing])
    const deliverable = path.join(workspaceOf(root, 'docs'), 'deliverable.md')
    expect([code, stdout]).toEqual([
      0,
      `${deliverable}\n194 bytes, 24 words, 2 sections, 1 code example, 0 diagrams\n`,
    ])
    expect(stderr).toContain(`docs has its mission: ${mission}`)
    expect(readFileSync(deliverable, 'utf8')).toMatch(/^# The answer\n/)
    expect(git(root, 'status', '--porcelain', 'federate.config.json')).toBe('?? federate.config.json')
  })
})

test('a finished team is reset, and keeps what it made', async () => {
  const root = newRepository()
  // a person forgets the quotes
  await fedDone(root, ['run', ...mission.split(' '), ...good])
  await fedDone(root, ['run', mission, ...good])
  const archive = path.join(workspaceOf(root, 'docs'), '.fed', 'missions', '1')
  expect(readFileSync(path.join(archive, 'deliverable.md'), 'utf8')).toMatch(/^# The answer\n/)
  expect(readdirSync(path.join(archive, 'sessions')).toSorted()).toEqual([
    '1-1.end.json',
    '1-1.json',
    '1-1.left',
    '1-1.log',
    '1-1.prompt.md',
    '1-1.times',
  ])
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete', missionNumber: 2 })
  expect(await missionsIn(root)).toEqual([mission])
  expect(startsOf(workspaceOf(root, 'docs'))).toHaveLength(2)
})

test('a finished team is not reset for an agent that is not there', async () => {
  const root = newRepository()
  await fedDone(root, ['run', mission, ...good])
  const before = await statusOf(root, 'docs')
  writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify({ agentCommand: 'gpt-17' }))
  for (const command of [
    ['run', mission],
    ['launch', '--team', 'docs', '--reset'],
    ['launch', '--team', 'docs', '--reset', '--detach'],
  ]) {
    const { code, stdout, stderr } = await fed(root, command)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain("agent 'gpt-17': there is no program")
  }
  expect(await statusOf(root, 'docs')).toEqual({ ...before, agent: 'gpt-17' })
})

test('a team is as it was created; only a wish that says otherwise is refused', async () => {
  const root = await newFederation()
  await fedDone(root, ['onboard', 'port', '--archetype', 'consultant'])
  const run = ['run', mission, '--team', 'port', '--agent', agent('refusing')]
  expect(await fed(root, [...run, '--archetype', 'deliverable'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("team 'port' is a consultant team"),
  })
  expect(await statusOf(root, 'port')).toMatchObject({ mission: null })
  expect((await fed(root, run)).stderr).toContain('I only draw pictures')
  expect(await statusOf(root, 'port')).toMatchObject({ mission: { subject: mission } })
})

describe('an unfinished mission', () => {
  test('goes on without a second directive', async () => {
    const root = await newFederation({ docs: mission })
    const { code, stderr } = await fed(root, ['run', ` ${mission}\n`, ...good])
    expect([code, stderr]).toEqual([0, expect.stringContaining('docs goes on with its mission')])
    expect(await missionsIn(root)).toEqual([mission])
  })

  test('is not replaced by another', async () => {
    const root = await newFederation({ docs: mission })
    const { code, stderr } = await fed(root, ['run', 'Draw a picture', ...good])
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/another mission under way \('Explain the answer'/),
    ])
    expect(stderr).toContain("'fed launch --team docs'")
    expect(await missionsIn(root)).toEqual([mission])
  })

  test('gives way to another where that is asked for', async () => {
    const root = await newFederation({ docs: mission })
    const { code, stderr } = await fed(root, ['run', 'Draw a picture', '--reset', ...good])
    expect([code, stderr]).toEqual([0, expect.stringContaining('docs has its mission: Draw a picture')])
    expect(await statusOf(root, 'docs')).toMatchObject({
      state: 'complete',
      missionNumber: 2,
      mission: { body: 'Draw a picture' },
    })
  })

  test('that is paused stays so', async () => {
    const root = await newFederation({ docs: mission })
    await fedDone(root, ['pause', 'docs'])
    const { code, stderr } = await fed(root, ['run', mission, ...good])
    expect([code, stderr]).toEqual([5, expect.stringContaining("docs is paused; 'fed resume docs'")])
    expect(startsOf(workspaceOf(root, 'docs'))).toEqual([])
  })
})

test('two runs at once begin one mission with one agent', async () => {
  const root = newRepository()
  const run = ['run', mission, '--agent', agent('waiting')]
  const both = [startFed(root, run), startFed(root, run)]
  const refused = await Promise.race(both.map(({ ended }) => ended))
  expect([refused.code, refused.stderr]).toEqual([
    5,
    expect.stringMatching(/a session of this team already runs/),
  ])
  await until(
    'the agent',
    () => existsSync(workspaceOf(root, 'docs')) && startsOf(workspaceOf(root, 'docs')).length > 0,
  )
  for (const one of both) one.kill('SIGINT')
  const codes = await Promise.all(both.map(({ ended }) => ended.then(({ code }) => code)))
  expect(codes.toSorted()).toEqual([130, 5])
  await fedDone(root, ['launch', '--team', 'docs', ...good])
  expect(new Set(await missionsIn(root))).toEqual(new Set([mission]))
  expect(await statusOf(root, 'docs')).toMatchObject({ state: 'complete', instructions: [] })
  expect(startsOf(workspaceOf(root, 'docs'))).toHaveLength(2)
})

test('a mission that two begin at once is begun once', async () => {
  const root = await newFederation({ docs: undefined })
  const both = await Promise.all([new Federation(root).team('docs'), new Federation(root).team('docs')])
  await Promise.all(both.map((team) => beginMission(team, mission)))
  expect(await statusOf(root, 'docs')).toMatchObject({
    mission: { subject: mission },
    instructions: [],
  })
})

describe('what cannot be a mission changes nothing', () => {
  const root = newRepository()

  test.each(
    someOf<[string[], number, RegExp]>(
      [
        [['run', 'pause'], 2, /'pause' is a control word, not a mission; did you mean 'fed pause <team>'\?/],
        [['run', 'Resume!'], 2, /control word/],
        [['run', '  \n'], 2, /the mission is empty/],
        [['run', mission, '--archetype', 'painter'], 2, /no archetype 'painter'/],
        [
          ['run', mission, '--agent', 'gpt-17 --fast'],
          2,
          /there is no program 'gpt-17' on the PATH; here are fed-agent/,
        ],
        [['run', mission, '--agent', ' '], 2, /the agent command is empty/],
      ],
      4,
    ),
  )('fed %j', async (args, code, message) => {
    const ended = await fed(root, args)
    expect(ended).toMatchObject({ code, stdout: '' })
    expect(ended.stderr).toMatch(message)
    expect(existsSync(path.join(root, '.fed'))).toBe(false)
  })
})

describe('agents that are installed', () => {
  const PATH = pathWith({ claude: 'exit 1', codex: 'exit 1' })

  test('are named when nobody chose one', async () => {
    const root = newRepository()
    const config = { agentCommand: 'fed-agent' }
    writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify(config))
    const { stderr } = await fed(root, ['run', 'Document the architecture'], { env: { PATH } })
    expect(stderr).toContain('also on the PATH: claude, codex (use one with --agent claude)')
  })

  test('are named when the agent says that it cannot do the mission', async () => {
    const root = newRepository()
    const refusing = ['run', mission, '--agent', agent('refusing')]
    const { code, stdout, stderr } = await fed(root, refusing, { env: { PATH } })
    expect([code, stdout]).toEqual([5, ''])
    expect(stderr).toMatch(
      /fed: I only draw pictures, and this is a text\n.*claude, codex: try --agent claude/,
    )
    expect(await statusOf(root, 'docs')).toMatchObject({ state: 'preparing', finished: false })
    expect(startsOf(workspaceOf(root, 'docs'))).toHaveLength(1)
    await fedDone(root, ['run', mission, ...good])
  })

  test('a known one gets the prompt as its arguments say', async () => {
    const root = newRepository()
    const claude = `printf '%s\\n' "$@" > "$FED_WORKSPACE/arguments"; exec ${agent('good')}`
    const run = ['run', mission, '--agent', 'claude', '--confinement', 'off']
    await fedDone(root, run, { env: { PATH: pathWith({ claude }) } })
    const given = readFileSync(path.join(workspaceOf(root, 'docs'), 'arguments'), 'utf8')
    expect(given).toMatch(
      /^-p\nYou are the agent of team 'docs'[^]*\n--output-format\nstream-json\n--verbose\n--session-id\n[0-9a-f-]{36}\n--tools\nRead,Grep,Glob\n/,
    )
  })
})
