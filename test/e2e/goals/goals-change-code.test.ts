// Proves that a goal of real work goes from a plan to merged code with a person's own agent: what was surveyed lies before
// the coding team, a person merges, and git's proof lets the next task begin. Fails when a task begins before the merge, or
// when the command does not say what a person has to do.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { readPlan } from '../../../src/records/plan/read-plan.ts'
import { agent, fed, fedDone, newRepository } from '../../support/fed.ts'

const plan = `goal: Another answer
tasks:
  - { id: survey, mission: Explain src/app.ts, agent: fed-agent }
  - id: change
    archetype: coding
    agent: coder
    mission: Change the answer to 43
    after: [survey]
    paths: [src/**, check.mjs]
  - { id: tell, mission: Explain src/app.ts after the change, agent: fed-agent, after: [change] }
`

test('from a plan to merged code', async () => {
  const root = newRepository()
  writeFileSync(path.join(root, 'plan.yaml'), plan)
  await fedDone(root, ['init'])
  const config = path.join(root, 'federate.config.json')
  const settings = JSON.parse(readFileSync(config, 'utf8')) as object
  writeFileSync(config, JSON.stringify({ ...settings, agents: { coder: agent('coding') } }))
  const begin = () => fed(root, ['goal', '--plan', 'plan.yaml', '--confinement', 'off'])
  // a name is a command that the repository brings: nobody has allowed it yet
  const refused = await begin()
  expect(refused.code).toBe(5)
  expect(refused.stderr).toContain('the agents of federate.config.json is not trusted on this machine')
  await fedDone(root, ['trust', '--yes'])
  const first = await begin()
  expect(first.code).toBe(5)
  expect(first.stdout).toContain('needs you:')
  expect(first.stdout).toContain(
    "change: merge fed/another-answer-change, then 'fed send another-answer-change",
  )
  const inputs = path.join(root, '.fed/worktrees/another-answer-change/.fed/inputs')
  expect(readFileSync(path.join(inputs, 'survey.md'), 'utf8')).toContain('src/app.ts')
  // neither the word nor the command moves it
  await fed(root, ['send', 'another-answer-change', '--type', 'directive', '--subject', 'merged'])
  expect((await begin()).code).toBe(5)
  expect(await fedDone(root, ['goal', 'status'])).toMatch(/tell +waiting .*waits for change/)
  git(root, 'merge', '--quiet', '--no-edit', 'fed/another-answer-change')
  await fedDone(root, ['send', 'another-answer-change', '--type', 'directive', '--subject', 'merged'])
  const last = await begin()
  expect(last.code).toBe(0)
  expect(last.stdout).toMatch(/✓ change +done .*in main by commits/)
  expect(last.stdout).toMatch(/✓ tell +done/)
  // the worktree and its branch landed, and go
  expect((await fed(root, ['goal', 'clean'])).code).toBe(0)
  expect(git(root, 'branch', '--list', 'fed/*')).toBe('')
})

test('the plan that the manual shows is a good one', () => {
  const page = readFileSync(path.resolve(import.meta.dirname, '../../../src/docs/goals.md'), 'utf8')
  const [, text = ''] = /```yaml\n([^]*?)\n```/.exec(page) ?? []
  const known = {
    archetypes: ['deliverable', 'coding'],
    agents: ['claude'],
    changesCode: (archetype: string) => archetype === 'coding',
  }
  expect(readPlan(text, known)).toMatchObject({ plan: { tasks: { length: 4 } }, problems: [] })
})
