// Proves that a machine of a federation's own is taken only when a team can live by it: each rule is broken once,
// and the error names the state, what is wrong, and the line. It fails when a machine gets in that a step by
// signals cannot follow, or when the author is left to search.
import { expect, test } from 'vitest'

import { problemsAfter } from '../../support/hook-problems.ts'
import { someOf } from '../../support/thorough.ts'

const machine = 'audit-machine.ts'

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
