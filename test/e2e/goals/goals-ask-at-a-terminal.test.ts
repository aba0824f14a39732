// Proves that a goal which costs something is begun by a person's yes alone: its plan and what bounds its cost are shown at
// the terminal, Enter and no begin nothing, Ctrl-C is 130, and the same command asks again. Fails when a task begins
// without the yes, when the question does not say who works, or when what is free or was allowed by --yes asks.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agent, builtFed, fed, fedJson, newRepository, workspaceOf } from '../../support/fed.ts'
import { hasTerminals, keys, openTerminal } from '../../support/terminal.ts'

const plan = `goal: Explain the answer
budget: 45min
tasks:
  - { id: app, mission: Explain src/app.ts }
  - { id: again, mission: Explain src/app.ts again, after: [app] }
`

/** A repository with this plan. */
function planned(): string {
  const root = newRepository()
  writeFileSync(path.join(root, 'plan.yaml'), plan)
  return root
}
const goal = (root: string, ...args: readonly string[]) =>
  openTerminal(root, [
    process.execPath,
    builtFed,
    'goal',
    '--plan',
    'plan.yaml',
    '--confinement',
    'off',
    ...args,
  ])
const hasBegun = (root: string) => existsSync(workspaceOf(root, 'explain-the-answer-app'))
const question = 'Begin 2 tasks with'

describe.runIf(hasTerminals)('at a terminal', () => {
  test.each([
    ['Enter', keys.enter, 5],
    ['Ctrl-C', keys.interrupt, 130],
  ])('%s begins nothing, and the same command asks again', async (_what, key, code) => {
    const root = planned()
    const terminal = goal(root, '--agent', agent('good'))
    await terminal.see('Explain src/app.ts again')
    await terminal.see(question)
    await terminal.see('45min)')
    terminal.type(key)
    expect(await terminal.exitCode).toBe(code)
    expect(hasBegun(root)).toBe(false)
    expect(await fedJson(root, ['goal', 'status'])).toMatchObject([{ state: 'awaiting-approval' }])
    const second = goal(root, '--agent', agent('good'))
    await second.see(question)
    second.type('y')
    expect(await second.exitCode).toBe(0)
    expect(hasBegun(root)).toBe(true)
    expect(second.shown()).toMatch(/again +done/)
  })

  test.each([
    ['the embedded agent, which costs nothing', []],
    ['--yes', ['--agent', agent('good'), '--yes']],
  ])('%s is not asked about', async (_what, args) => {
    const root = planned()
    const terminal = goal(root, ...args)
    expect(await terminal.exitCode).toBe(0)
    expect(terminal.shown()).not.toContain('Begin ')
    expect(hasBegun(root)).toBe(true)
  })
})

test('without a terminal --plan is the yes', async () => {
  const root = planned()
  const ended = await fed(root, [
    'goal',
    '--plan',
    'plan.yaml',
    '--agent',
    agent('good'),
    '--confinement',
    'off',
  ])
  expect([ended.code, hasBegun(root)]).toEqual([0, true])
})
