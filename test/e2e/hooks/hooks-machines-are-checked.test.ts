// Proves that a machine of a federation's own is taken only when a team can live by it: each rule is broken once,
// and the error names the state, what is wrong, and the line. It fails when a machine gets in that a step by
// signals cannot follow, or when the author is left to search.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

import { HookError } from '../../../src/errors/document-errors.ts'
import { loadHook } from '../../../src/federation/hooks/load-hook.ts'
import { newFederation } from '../../support/federation.ts'
import { addAuditHook, change } from '../../support/hook.ts'
import { someOf } from '../../support/thorough.ts'

const machine = 'audit-machine.ts'

async function problemsAfter(file: string, from: string, to: string): Promise<string[]> {
  const root = newFederation()
  addAuditHook(root)
  change(root, machine, 'import { and, assign, setup }', 'import { and, assign, fromPromise, not, setup }')
  change(root, file, from, to)
  const error: unknown = await loadHook(root, 'hooks/fed.ts').catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(HookError)
  const { problems } = error as HookError
  return problems.map(({ message, file: at = '', line }) => `${path.basename(at)}:${line}: ${message}`)
}

const aWay = "'report.risks-logged': {"
const aGuard = "guard: and(['fromSelf', 'hasTwoFindings'])"
const scoping = "description: 'Reading the mission, naming what is audited',"

test.each(
  someOf<[string, string, string, RegExp]>(
    [
      [
        'a guard that nobody declared',
        aGuard,
        "guard: and(['fromSelf', 'hasThreeFindings'])",
        /^audit-machine\.ts:\d+: .*there is no guard 'hasThreeFindings'; there are fromMeta, /,
      ],
      [
        'a guard without a name',
        aGuard,
        'guard: () => true',
        /state 'inspecting': 'report\.risks-logged': a guard needs a name/,
      ],
      [
        'a guard that no refusal can tell',
        aGuard,
        "guard: not('fromSelf')",
        /'not' cannot be told in a refusal/,
      ],
      [
        'a guard with parameters',
        aGuard,
        "guard: { type: 'hasTwoFindings', params: { count: 3 } } as never",
        /parameters cannot be told/,
      ],
      [
        'an own guard without words',
        "saysVerdict: { needs: \"the body begins with 'verdict: pass' or 'verdict: fail'\" },",
        '',
        /guard 'saysVerdict' has no words/,
      ],
      [
        'words for a guard that is not there',
        'saysVerdict: { needs',
        'saysNothing: { needs',
        /there is no guard 'saysNothing'/,
      ],
      [
        'an action that nobody declared',
        "actions: 'recordScope'",
        "actions: 'recordScale' as never",
        /^audit-machine\.ts:\d+: .*there is no action 'recordScale'/,
      ],
      [
        'an action that does something',
        "actions: 'recordScope'",
        'actions: () => undefined',
        /state 'scoping': action '.*' does something inside of the decision/,
      ],
      [
        'an entry that does something',
        scoping,
        `${scoping} entry: () => undefined,`,
        /state 'scoping': action/,
      ],
      [
        'a first state that is not there',
        "initial: 'scoping'",
        "initial: 'scopin'",
        /^audit-machine\.ts:\d+: .*Initial state node "scopin" not found/,
      ],
      [
        'an end to which nothing leads',
        "target: '#audit.complete'",
        "target: 'inspecting'",
        /^audit-machine\.ts:\d+: .*state 'complete': nothing leads to it/,
      ],
      [
        "xstate's own event",
        aWay,
        `'xstate.init': { target: 'writing' }, ${aWay}`,
        /^audit-machine\.ts:\d+: .*reserved/,
      ],
      [
        'an end inside of a state',
        scoping,
        `${scoping} initial: 'one', states: { one: { type: 'final' } },`,
        /a final state ends the team only at the top level/,
      ],
      [
        'an event of no signal',
        aWay,
        `'risks.logged': { target: 'writing' }, ${aWay}`,
        /'risks\.logged': no signal makes it; an event is one of directive, question, report, alert/,
      ],
      [
        'an event that no subject becomes',
        aWay,
        `'report.Risks Logged': { target: 'writing' }, ${aWay}`,
        /'report\.Risks Logged': no signal makes it; a subject like that becomes report\.risks-logged/,
      ],
      [
        'a wildcard alone',
        aWay,
        `'*': { target: 'writing' }, ${aWay}`,
        /a wildcard alone would take everything/,
      ],
      ['a partial wildcard', aWay, `'report.risks.*': { target: 'writing' }, ${aWay}`, /no signal makes it/],
      [
        'a timer',
        scoping,
        `${scoping} after: { 1000: 'writing' },`,
        /state 'scoping': 'after' needs a process/,
      ],
      [
        'a call',
        scoping,
        `${scoping} invoke: { src: fromPromise(async () => 1) },`,
        /state 'scoping': 'invoke' starts something/,
      ],
      [
        'a transition without an event',
        scoping,
        `${scoping} always: { target: 'inspecting', guard: 'hasMission' },`,
        /'always' is asked without evidence/,
      ],
      [
        'a transition at the root',
        "initial: 'working',",
        "initial: 'working', on: { 'alert.fire': '.failed' },",
        /at the root would also move finished teams/,
      ],
      ['parallel states', "initial: 'working',", "type: 'parallel',", /a team is in one state at a time/],
      [
        'a directive from anybody',
        "'directive.pause': { target: 'paused', guard: 'fromMeta' }",
        "'directive.pause': { target: 'paused' }",
        /'directive\.pause': it needs the guard 'fromMeta'/,
      ],
      [
        'a control word as a mission',
        "guard: and(['fromMeta', 'isMission']), actions: 'addInstruction'",
        "guard: 'fromMeta', actions: 'addInstruction'",
        /'directive\.\*': it needs the guard 'isMission'/,
      ],
      [
        'a deferral of nothing',
        "defers: ['directive.*']",
        "defers: ['orders']",
        /defers 'orders': no signal makes it/,
      ],
      [
        'no end at all',
        "complete: { type: 'final', description: 'The report is written' },\n    failed: { type: 'final',",
        "complete: { description: 'x' },\n    failed: {",
        /no final state can be reached/,
      ],
      [
        'a trap',
        "complete: { type: 'final', description: 'The report is written' },",
        "complete: { description: 'The report is written' },",
        /state 'complete': no end can be reached from it/,
      ],
      [
        'no pause',
        "'directive.pause': { target: 'paused', guard: 'fromMeta' },",
        '',
        /state 'scoping': it needs directive\.pause to 'paused'/,
      ],
      [
        'a pause that forgets',
        "target: 'working.resumed'",
        "target: 'working'",
        /must lead to a history state that brings it back/,
      ],
      [
        'no mission',
        "actions: 'adoptMission'",
        "actions: 'addInstruction'",
        /its first state does not take a mission/,
      ],
      [
        'two states of one name',
        "failed: { type: 'final', description: 'An error ended the audit' },",
        "failed: { type: 'final' }, scoping: { type: 'final' },",
        /two states are called 'scoping'/,
      ],
      [
        'a context without what every team has',
        '...blankContext(input), ',
        '',
        /context must begin with what every team's does/,
      ],
      [
        'a context that needs input',
        '...blankContext(input)',
        '...blankContext({ team: (input as { team: string }).team })',
        /its context cannot be made without input: hooks\/audit-machine\.ts:\d+: .*'team'/,
      ],
      [
        'a context field without a schema',
        'verdict: null })',
        'verdict: null, extra: 1 })',
        /snapshot\.context\..*extra/,
      ],
      [
        'a context that is no JSON',
        'scope: null, verdict: null })',
        'scope: null, verdict: new Date() as never })',
        /the context holds what is no JSON: verdict/,
      ],
    ],
    8,
  ),
)('%s', async (_, from, to, expected) => {
  const problems = await problemsAfter(machine, from, to)
  expect(problems.join('\n')).toMatch(expected)
  for (const problem of problems) expect(problem).toMatch(/^(audit-machine|fed)\.ts:\d+: archetype 'audit': /)
})

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
)('%s of the archetype', async (_, from, to, expected) => {
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
