// Proves that an archetype of a federation's own is taken only when each of its parts is there and fits its machine:
// each is broken once, and the error names the archetype, the part and the line. It fails when an archetype gets in
// that no session could be driven by, or when the author is left to search.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

import { loadHook } from '../../../src/federation/hooks/load-hook.ts'
import { newFederation } from '../../support/federation.ts'
import { addAuditHook, change } from '../../support/hook.ts'
import { problemsAfter } from '../../support/hook-problems.ts'
import { someOf } from '../../support/thorough.ts'
import { trust } from '../../support/allow-everything.ts'

test.each(
  someOf<[string, string, string, RegExp]>(
    [
      [
        'a skill that is nowhere',
        "'hooks/skills/audit-standards.md'",
        "'hooks/skills/none.md'",
        /skills: hooks\/skills\/none\.md: there is no such file/,
      ],
      ['a skill that does not ship', "'domain-playbook.md'", "'playbook.md'", /no such skill ships with fed/],
      [
        'a skill from outside',
        "'hooks/skills/audit-standards.md'",
        "'../../../etc/hosts.md'",
        /there is no such file|outside/,
      ],
      [
        'a milestone of another state',
        "state: 'scoping'",
        "state: 'scopes'",
        /milestones: there is no state 'scopes'/,
      ],
      [
        'a milestone that is no event',
        "subject: 'scope-set'",
        "subject: 'scope-chosen'",
        /'scoping' does not take report\.scope-chosen/,
      ],
      [
        'another id',
        '    audit: {',
        '    audits: {',
        /its machine has the id 'audit'; both must be the same/,
      ],
      ['no machine', 'machine: audit', 'machine: {} as never', /machine: is no machine of xstate 5/],
      [
        'no description',
        "description: 'Audits one area of the code, and says whether it passes'",
        "description: ' '",
        /description: is empty/,
      ],
      [
        'a field that is no schema',
        'scope: z.nullable(z.string())',
        "scope: 'string' as never",
        /fields\.scope: is no schema/,
      ],
      ['an unknown part', "defaultTeam: 'auditors'", "team: 'auditors'", /team: there is no such field/],
      [
        'a tool that is none',
        "role: 'Auditor'",
        "tools: [{ name: 'rm', readOnly: true }] as never",
        /leadAgent\.tools\.0\.name/,
      ],
    ],
    3,
  ),
)('%s', async (_, from, to, expected) => {
  const problems = await problemsAfter('fed.ts', from, to)
  expect(problems.join('\n')).toMatch(expected)
  for (const problem of problems)
    expect(problem).toMatch(/^(fed|audit-machine)\.ts:\d+: archetype 'audits?': /)
})

test('the fixture itself is whole, and names that are taken are refused', async () => {
  const root = newFederation()
  addAuditHook(root)
  const { archetypes, functions } = await loadHook(root, 'hooks/fed.ts')
  expect(archetypes.map(({ id, delivers, placement }) => ({ id, delivers, placement }))).toEqual([
    { id: 'audit', delivers: true, placement: 'directory' },
  ])
  expect(functions).toEqual(['onInit', 'onTransition', 'onSignal', 'onHealth'])
  for (const id of ['coding', 'registry-status', 'meta', 'Audit']) {
    const other = newFederation()
    addAuditHook(other)
    change(other, 'fed.ts', '    audit: {', `    '${id}': {`)
    await expect(loadHook(other, 'hooks/fed.ts')).rejects.toThrow(
      /fed\.ts:\d+: archetype '\S+': the name is /,
    )
  }
})

test('without milestones the way is told as the machine describes it', async () => {
  const root = newFederation()
  addAuditHook(root)
  const text = readFileSync(path.join(root, 'hooks', 'fed.ts'), 'utf8')
  writeFileSync(path.join(root, 'hooks', 'fed.ts'), text.replace(/ {6}milestones: \[[^]*?\n {6}\],\n/, ''))
  trust(root)
  const { archetypes } = await loadHook(root, 'hooks/fed.ts')
  expect(archetypes[0]?.milestones).toEqual([
    {
      state: 'scoping',
      subject: 'scope-set',
      options: '--body "<text>"',
      task: 'Reading the mission, naming what is audited',
    },
    { state: 'inspecting', subject: 'risks-logged', task: 'Reading the code, logging each risk' },
    { state: 'writing', subject: 'audit-written', task: 'Writing the report, coming to a verdict' },
  ])
})
