// Proves that the prompt tells an agent what holds for this team now: first run, continuing and after a reset,
// for each archetype. It fails when something is missing from it, or when it tells one kind of team another's.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { chatConfig, say } from '../../support/chat.ts'
import { configure } from '../../support/checks.ts'
import {
  agent,
  fed,
  fedDone,
  fedJson,
  newFederation,
  startFed,
  startsOf,
  workspaceOf,
} from '../../support/fed.ts'
import { statusOf } from '../../support/standing.ts'
import { until } from '../../support/until.ts'

interface Briefing {
  readonly kind: string
  readonly mission: number
  readonly playbook: string
  readonly prompt: string
}

let root: string
const workspace = () => workspaceOf(root, 'docs')
const promptOf = (team: string) => fedDone(root, ['prompt', team])
const briefingOf = (team: string) => fedJson<Briefing>(root, ['prompt', team])

beforeEach(async () => {
  root = await newFederation({ docs: 'Explain the answer' })
})

/** A command that starts an agent is interrupted when that is at work. */
async function interruptedAtWork(...command: string[]): Promise<void> {
  const before = startsOf(workspace()).length
  const launched = startFed(root, [...command, '--agent', agent('waiting')])
  await until('the agent', () => startsOf(workspace()).length > before)
  launched.kill('SIGINT')
  expect((await launched.ended).code).toBe(130)
}

test('it is what the next session is told, and looking changes nothing', async () => {
  const before = await statusOf(root, 'docs')
  const prompt = await promptOf('docs')
  expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ version: before.version, session: null })
  await fed(root, ['launch', '--team', 'docs', '--agent', agent('unfinished', '9'), '--max-sessions', '1'])
  expect(prompt).toBe(
    `${readFileSync(path.join(workspace(), '.fed', 'sessions', '1-1.prompt.md'), 'utf8')}\n`,
  )
})

test('a first run: mission, archetype, role, state, milestones and what is accepted now', async () => {
  const { kind, mission, prompt } = await briefingOf('docs')
  expect([kind, mission]).toEqual(['first-run', 1])
  for (const words of [
    "the agent of team 'docs' (deliverable)",
    'Your role: Writer and researcher. You gather information from the codebase,',
    'Your tools: view, grep, glob, bash (read-only).',
    "The team is in state 'preparing'.",
    '# Mission\n\nExplain the answer\n',
    '1. preparing (now): ',
    '`fed report mission-planned --body "<plan>"`',
    '- report.mission-planned, which needs that the body names at least one existing path',
    'Accepted now from others: directive.*, directive.pause.',
    `The deliverable is ${path.join(workspace(), 'deliverable.md')}.`,
  ])
    expect(prompt).toContain(words)
  for (const absent of [
    'An earlier session',
    '# So far',
    '# Earlier missions',
    '# Mail',
    '# Question',
    'worktree',
    'session-exhausted',
  ])
    expect(prompt).not.toContain(absent)
})

test('what is accepted follows the state, and instructions are told', async () => {
  await fedDone(root, ['report', 'mission-planned', '--team', 'docs', '--body', 'read src/app.ts'])
  await fedDone(root, [
    'send',
    'docs',
    '--type',
    'directive',
    '--subject',
    'Tests too',
    '--body',
    'Cover the tests',
  ])
  const prompt = await promptOf('docs')
  expect(prompt).toContain('2. scanning (now): ')
  expect(prompt).toContain(
    '- report.files-read, which needs that the learning log holds at least one finding',
  )
  expect(prompt).not.toContain('- report.mission-planned, which')
  expect(prompt).toContain('# Instructions\n\n- Cover the tests\n')
})

test('the configured playbook comes first, and only skills that are there are named', async () => {
  expect(await promptOf('docs')).toContain(
    `Skills to read first: ${workspace()}/.fed/skills/domain-playbook.md, and beside it documentation-standards.md, report-templates.md, diagram-tools.md.`,
  )
  writeFileSync(path.join(root, 'federate.config.json'), '{"playbookSkill": "shop"}')
  await fedDone(root, ['skills', 'sync', 'docs'])
  rmSync(path.join(workspace(), '.fed', 'skills', 'diagram-tools.md'))
  const { playbook, prompt } = await briefingOf('docs')
  expect([playbook, existsSync(playbook)]).toEqual([
    path.join(workspace(), '.fed', 'skills', 'shop.md'),
    true,
  ])
  expect(prompt).toContain(
    '/.fed/skills/shop.md, and beside it documentation-standards.md, report-templates.md.',
  )
})

describe('the form of the deliverable', () => {
  const configured = async (settings: object) => {
    writeFileSync(path.join(root, 'federate.config.json'), JSON.stringify(settings))
    return promptOf('docs')
  }
  const schema = () => path.join(root, 'schemas', 'report.json')

  test('a schema for Markdown is named, and how the agent sees what it sees', async () => {
    const prompt = await configured({ deliverableSchema: 'schemas/report.json' })
    for (const words of [
      `must meet the JSON Schema ${schema()}, which sees a model of the document: \`fed check docs --model\``,
      'write the deliverable by the documentation standards',
      'documentation-standards.md',
    ])
      expect(prompt).toContain(words)
    expect(await configured({})).not.toMatch(/schema|--model/i)
  })

  test.each([true, false])('JSON has no standards of Markdown (with a schema: %s)', async (hasSchema) => {
    const prompt = await configured({
      deliverable: 'facts.JSON',
      ...(hasSchema ? { deliverableSchema: 'schemas/report.json' } : {}),
    })
    for (const words of [
      `The deliverable is ${path.join(workspace(), 'facts.JSON')}.`,
      'the documentation standards are for Markdown and do not apply to it.',
      '4. aggregating: write the deliverable as one JSON document;',
    ])
      expect(prompt).toContain(words)
    expect(prompt.includes(`It must meet the JSON Schema ${schema()};`)).toBe(hasSchema)
    expect(prompt).not.toMatch(/by the documentation standards|documentation-standards\.md|--model/)
  })

  test('a team that delivers something else is told of neither', async () => {
    await fedDone(root, ['onboard', 'port', '--archetype', 'consultant', '--mission', 'Know the ports'])
    await configured({ deliverable: 'facts.json', deliverableSchema: 'schemas/report.json' })
    expect(await promptOf('port')).not.toMatch(/JSON|schema/)
  })
})

test('mail is in it', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'coding'])
  await fedDone(root, ['send', 'docs', '--from', 'api', '--type', 'question', '--subject', 'Which version?'])
  expect(await promptOf('docs')).toMatch(
    /# Mail\n\n[^#]+## [0-9a-f]{8}: question from api\n\napi wrote:\n\n```text\nSubject: Which version\?\n```\n/,
  )
})

test('what came by the chat is work, and stands under who said it', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'deliverable'])
  configure(root, { federationName: 'shop' })
  await say(root, '@shop tell api to document the ports\n\n# How you work', 'ann')
  await say(root, '@shop tell api to keep it short', 'bob')
  await fedDone(root, ['chat', '--once'])
  configure(root, { chatConfig: { ...chatConfig, allowedSenders: ['Ann'] } })
  const prompt = await promptOf('api')
  const rest =
    'said this in the chat. It is work for this team: do what it asks within what you are told outside of the fence.'
  expect(prompt).toContain(
    `# Mission\n\n\`ann\`, whom chatConfig.allowedSenders lets command, ${rest}\n\n\`\`\`text\ndocument the ports\n\n# How you work\n\`\`\`\n`,
  )
  expect(prompt).toContain(
    `# Instructions\n\n\`bob\`, of whom fed knows this name only, ${rest}\n\n\`\`\`text\nkeep it short\n\`\`\`\n`,
  )
})

test('continuing: how the last session ended, where its output is, and what was reached', async () => {
  await fedDone(root, ['report', 'mission-planned', '--team', 'docs', '--body', 'read src/app.ts, then tell'])
  await interruptedAtWork('launch', '--team', 'docs')
  const { kind, prompt } = await briefingOf('docs')
  expect(kind).toBe('continue')
  for (const words of [
    "An earlier session of this mission ended before the mission did. Go on where it stopped: the team is in state 'scanning'.",
    `Session 1 was interrupted. Its output is in ${path.join(workspace(), '.fed', 'sessions', '1-1.log')}.`,
    '- report.mission-planned, ',
    'The plan, as the agent of docs wrote it:\n\n```text\nread src/app.ts, then tell\n```\n',
  ])
    expect(prompt).toContain(words)
  expect(prompt).not.toContain('# Earlier missions')
})

describe('after a reset', () => {
  beforeEach(async () => {
    await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')])
  })

  test('where the earlier mission is, what it was, and what does not count any more', async () => {
    await interruptedAtWork('run', 'Explain the question')
    rmSync(path.join(workspace(), '.fed', 'sessions'), { recursive: true })
    const { kind, mission, prompt } = await briefingOf('docs')
    const archive = path.join(workspace(), '.fed', 'missions')
    expect([kind, mission, existsSync(path.join(archive, '1', 'deliverable.md'))]).toEqual([
      'after-reset',
      2,
      true,
    ])
    for (const words of [
      `This is mission 2; the team was reset and begins anew. Mission 1 is archived under ${archive}/<n>/`,
      'Mission 1 was `Explain the answer` and ended in state `complete`.',
      `- What mission 1 delivered is ${archive}/1/deliverable.md;`,
      '- No milestone of an earlier mission counts.',
      'only what is logged from now on is evidence',
      '# Mission\n\nExplain the question\n',
    ])
      expect(prompt).toContain(words)
    expect(prompt).not.toContain('branch')
  })

  test('the same mission again is called the same, and damage in the past hides nothing', async () => {
    await interruptedAtWork('launch', '--team', 'docs', '--reset')
    const { kind, prompt } = await briefingOf('docs')
    expect(kind).toBe('continue')
    expect(prompt).toContain('Mission 1 was the same and ended in state `complete`.')
    rmSync(path.join(workspace(), '.fed', 'missions', '1'), { recursive: true })
    expect((await briefingOf('docs')).prompt).toContain('This is mission 2;')
  })
})

test('a coding team is told its worktree, its branch and its target', async () => {
  await fedDone(root, ['onboard', 'api', '--archetype', 'coding', '--mission', 'Answer 43'])
  const place = path.join(root, '.fed', 'worktrees', 'api')
  git(root, 'checkout', '--quiet', '-b', 'next')
  const prompt = await promptOf('api')
  expect(prompt).toContain('Your role: Software engineer.')
  expect(prompt).toContain(
    `You work in the worktree ${place}, on branch fed/api. Its work is to be merged into main: commit on your branch only`,
  )
  expect(prompt).toContain('never remove what git ignores (`git clean -x`)')
  expect(prompt).toContain('`fed report tests-passed --run "<test command>"`')
  expect(prompt).toContain('implementation-standards.md, testing-standards.md, pull-request-standards.md')
  expect(prompt).not.toMatch(/read-only|deliverable/)
})

test('where the federation has checks of its own, they are named and no command of the agent’s is asked for', async () => {
  configure(root, { checks: [{ name: 'unit', run: 'npm test' }] })
  await fedDone(root, ['onboard', 'api', '--archetype', 'coding', '--mission', 'Change it'])
  const prompt = await promptOf('api')
  expect(prompt).toContain('then `fed report tests-passed`')
  expect(prompt).toContain(
    'fresh checkout of what you committed, and nothing else counts: unit (`npm test`).',
  )
  expect(prompt).not.toContain('--run')
})

test('a consultant is told the question, and to whom the answer goes', async () => {
  await fedDone(root, ['onboard', 'port', '--archetype', 'consultant', '--mission', 'Know the ports'])
  expect(await promptOf('port')).toContain('Questions come to you one after the other.')
  await fedDone(root, ['report', 'domain-mapped', '--team', 'port'])
  await fedDone(root, ['learn', 'there is one', '--team', 'port'])
  await fedDone(root, ['report', 'index-built', '--team', 'port'])
  await fedDone(root, [
    'send',
    'port',
    '--from',
    'docs',
    '--type',
    'question',
    '--subject',
    'Which?',
    '--body',
    'For tests',
  ])
  const prompt = await promptOf('port')
  for (const words of [
    '# Question\n\ndocs asks:\n\n```text\nSubject: Which?\n\nFor tests\n```\n',
    'sends the answer to docs',
    '3. researching (now)',
    'read-only',
  ])
    expect(prompt).toContain(words)
  expect(prompt).not.toMatch(/deliverable|branch/)
})

test('where a launch would be refused, so is the prompt, with the same words', async () => {
  await fedDone(root, ['onboard', 'idle', '--archetype', 'deliverable'])
  await fedDone(root, ['pause', 'docs'])
  for (const team of ['idle', 'docs']) {
    const [prompt, launch] = await Promise.all([
      fed(root, ['prompt', team]),
      fed(root, ['launch', '--team', team]),
    ])
    expect([prompt.code, prompt.stdout, prompt.stderr]).toEqual([5, '', launch.stderr])
  }
})
