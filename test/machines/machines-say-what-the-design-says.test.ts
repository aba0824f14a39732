// Proves that the machines declare the transitions that the specification and the design give them, with those
// guards and no others. Fails when a guard, an event or a target changes without this table changing.
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { expect, test } from 'vitest'
import { builtIn } from '../../src/federation/catalogue.ts'
import { lifecycles } from '../support/graph.ts'

type Row = readonly [from: string, event: string, to: string, guards: string]

const failed = (from: string, ...subjects: string[]): Row[] =>
  subjects.map((subject) => [from, `alert.${subject}`, 'failed', 'fromSelf'])
const common = ['information-missing', 'source-inaccessible', 'structure-undetermined', 'session-exhausted']
const readOnly = [...common, 'codebase-modified']
const missions: Row[] = [
  ['working', 'directive.*', '', 'fromCoordinator isMission hasNoMission'],
  ['working', 'directive.*', '', 'fromCoordinator isMission'],
]
const missionsWithTarget: Row[] = [
  ['working', 'directive.*', '', 'fromCoordinator isMission hasNoMission knowsTarget'],
  ['working', 'directive.*', '', 'fromCoordinator isMission hasMission'],
]
const pauses: Row[] = [
  ['working', 'directive.pause', 'paused', 'fromCoordinator'],
  ['paused', 'directive.resume', 'resumed', 'liftsOwnPause'],
]

const law: Record<string, Row[]> = {
  deliverable: [
    ...missions,
    ...pauses,
    ['preparing', 'report.mission-planned', 'scanning', 'fromSelf hasMission namesExistingPath'],
    ['scanning', 'report.files-read', 'distilling', 'fromSelf hasFindings'],
    ['distilling', 'report.patterns-identified', 'aggregating', 'fromSelf hasBody'],
    ['aggregating', 'report.document-written', 'complete', 'fromSelf meetsStandards leftCodebaseAlone'],
    ...failed('working', ...readOnly),
    ...failed('paused', ...readOnly),
  ],
  coding: [
    ...missionsWithTarget,
    ...pauses,
    ['preparing', 'report.plan-ready', 'implementing', 'fromSelf hasMission hasBody'],
    ['implementing', 'report.changes-committed', 'testing', 'fromSelf hasOwnWork isCommitted staysInPaths'],
    ['testing', 'report.tests-failed', 'implementing', 'fromSelf'],
    ['testing', 'report.tests-passed', '', 'fromSelf hasOwnWork isCommitted staysInPaths testsPassedOnHead'],
    ['testing', 'report.pr-opened', 'pr-open', 'fromSelf headIsTested'],
    ['pr-open', 'directive.changes-requested', 'implementing', 'fromCoordinator'],
    ['pr-open', 'directive.*', 'implementing', 'fromCoordinator isMission'],
    ['pr-open', 'directive.merged', 'complete', 'fromCoordinator isMerged'],
    ...failed('working', ...common),
    ...failed('paused', ...common),
  ],
  consultant: [
    ...missions,
    ...pauses,
    ['onboarding', 'report.domain-mapped', 'indexing', 'fromSelf hasMission'],
    ['indexing', 'report.index-built', 'ready', 'fromSelf hasFindings leftCodebaseAlone'],
    ['ready', 'question.*', 'researching', 'fromRegistered'],
    ['researching', 'report.answer', 'ready', 'fromSelf hasBody leftCodebaseAlone'],
    ['working', 'directive.retire', 'retired', 'fromCoordinator'],
    ['paused', 'directive.retire', 'retired', 'fromCoordinator'],
    ...failed('working', ...readOnly),
    ...failed('paused', ...readOnly),
  ],
}

interface Declared {
  readonly guard?: string | { readonly guards: readonly string[] }
  readonly target?: readonly AnyStateNode[]
}

function rowsOf(machine: AnyStateMachine): Row[] {
  const nodes = [...(machine as unknown as { idMap: Map<string, AnyStateNode> }).idMap.values()]
  return nodes.flatMap((node) =>
    [...(node.transitions as unknown as Map<string, Declared[]>)].flatMap(([event, candidates]) =>
      candidates.map(({ guard, target }): Row => {
        const guards = typeof guard === 'string' ? [guard] : (guard?.guards ?? [])
        return [node.key, event, target?.map(({ key }) => key).join() ?? '', guards.join(' ')]
      }),
    ),
  )
}

const sorted = (rows: readonly Row[]) => rows.map((row) => row.join(' | ')).toSorted()

test.each(lifecycles)('$id declares exactly the transitions of the design', (machine) => {
  expect(sorted(rowsOf(machine))).toEqual(sorted(law[machine.id] ?? []))
})

test.each(lifecycles)(
  '$id: final states take nothing, nothing stands at the root, no timer, no call',
  (machine) => {
    const nodes = [...(machine as unknown as { idMap: Map<string, AnyStateNode> }).idMap.values()]
    const taking = nodes.filter((node) => node.type === 'final' && node.transitions.size > 0)
    expect(taking).toEqual([])
    expect(machine.root.transitions.size).toBe(0)
    expect(nodes.flatMap((node) => [...node.after, ...(node.always ?? []), ...node.invoke])).toEqual([])
  },
)

test.each([
  ['deliverable', []],
  ['coding', ['pr-open']],
  ['consultant', ['ready']],
] as const)('the states of %s that wait for somebody else are %j', (id, expected) => {
  const { machine } = builtIn.of(id).logic
  const waiting = Object.values(machine.states['working']?.states ?? {}).filter(({ meta }) => meta?.waits)
  expect(waiting.map(({ key }) => key)).toEqual(expected)
})
