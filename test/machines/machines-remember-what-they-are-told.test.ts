// Proves what a lifecycle remembers of each event on its way, in literals and not by the machine's own word.
// Fails when an action is lost: a plan that nobody kept, a test that counts for a later commit, a question that
// stays open.
import { initialTransition, transition, type AnyMachineSnapshot } from 'xstate'
import { expect, test } from 'vitest'
import { lifecycles, modelEvent } from '../support/graph.ts'
import { accepted } from '../support/samples.ts'
import { factsOf } from '../support/test-team.ts'

type Told = readonly [subject: string, change: Record<string, unknown>]

const mission: Told = ['Document the storage', { mission: 'Document the storage' }]
const told = { subject: 'Document the storage', body: 'About Document the storage' }
const added: Told = ['Document the storage', { instructions: [told] }]
const untouched: Told[] = [
  ['pause', { pausedBy: 'meta' }],
  ['resume', { pausedBy: undefined }],
]
const failure = (subject: string) => ({ event: `alert.${subject}`, reason: `About ${subject}` })

const blank = { team: 'team', mission: null, instructions: [], failure: null }
const ways: Record<string, { readonly begins: Record<string, unknown>; readonly way: readonly Told[] }> = {
  deliverable: {
    begins: { plan: null, insights: null, measured: false },
    way: [
      mission,
      added,
      ['mission-planned', { plan: 'Read src/app.ts' }],
      ...untouched,
      ['files-read', {}],
      ['patterns-identified', { insights: 'About patterns-identified' }],
      ['document-written', { measured: true }],
    ],
  },
  coding: {
    begins: { plan: null, tested: false, target: undefined },
    way: [
      ['Document the storage', { mission: 'Document the storage', target: 'main' }],
      ['plan-ready', { plan: 'About plan-ready' }],
      ['changes-committed', {}],
      ['tests-passed', { tested: true }],
      ...untouched,
      ['tests-failed', { tested: false }],
      ['changes-committed', {}],
      ['tests-passed', { tested: true }],
      ['pr-opened', {}],
      [
        'changes-requested',
        { tested: false, instructions: [{ subject: 'changes-requested', body: 'About changes-requested' }] },
      ],
      ['session-exhausted', { failure: failure('session-exhausted') }],
    ],
  },
  consultant: {
    begins: { question: null, answered: 0 },
    way: [
      mission,
      ['domain-mapped', {}],
      ['index-built', {}],
      ['Which port', { question: { from: 'peer', subject: 'Which port', body: 'About Which port' } }],
      ...untouched,
      ['answer', { question: null, answered: 1 }],
      ['pause', { pausedBy: 'meta' }],
      ['codebase-modified', { failure: failure('codebase-modified') }],
    ],
  },
}

test.each(lifecycles)('$id remembers what it is told, and nothing else changes', (machine) => {
  const { begins, way } = ways[machine.id] as (typeof ways)[string]
  let [snapshot] = initialTransition(machine, { team: 'team' } as never) as [AnyMachineSnapshot, unknown]
  let facts: Record<string, unknown> = { ...factsOf(snapshot), ...blank, ...begins }
  expect(factsOf(snapshot)).toEqual(facts)
  for (const [subject, change] of way) {
    const sample = accepted[machine.id]?.find((one) => one.subject === subject)
    if (sample === undefined) throw new Error(`no sample ${subject}`)
    expect(snapshot.can(modelEvent(sample)), subject).toBe(true)
    ;[snapshot] = transition(machine, snapshot, modelEvent(sample)) as [AnyMachineSnapshot, unknown]
    facts = { ...facts, ...change }
    expect(factsOf(snapshot), subject).toEqual(facts)
  }
})
