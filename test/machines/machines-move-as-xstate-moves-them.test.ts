// Proves that the engine moves a machine where xstate's own `transition` moves it, with the same actions, for every
// transition of every lifecycle, and leaves nothing of one event to the next. It fails when the actor that the engine
// gives a machine instead of one of its own makes a difference.
import {
  assign,
  createActor,
  fromTransition,
  setup,
  spawnChild,
  transition as ofXstate,
  type AnyMachineSnapshot,
} from 'xstate'
import { describe, expect, test } from 'vitest'
import type { TeamEvent } from '../../machines/team-event.ts'
import { encodeSnapshot } from '../../src/engine/decide/snapshot.ts'
import { transition } from '../../src/engine/decide/transition.ts'
import { explore, lifecycles, modelEvent } from '../support/graph.ts'

type Moved = readonly [AnyMachineSnapshot, readonly { readonly type: string; readonly params?: unknown }[]]

const told = ([next, actions]: Moved) => ({
  ...encodeSnapshot(next),
  actions: actions.map(({ type, params }) => ({ type, params })),
})

describe.each(lifecycles)('$id', (machine) => {
  test.each(explore(machine).edges)('$source.name takes $sample.name', ({ source, sample }) => {
    const event = modelEvent(sample)
    const moved = told(transition(source.snapshot, event) as Moved)
    expect(moved).toEqual(told(ofXstate(machine, source.snapshot, event) as Moved))
    expect(told(transition(source.snapshot, event) as Moved)).toEqual(moved)
  })
})

test('a machine that starts children under names of the whole system takes one event after the other', () => {
  const child = fromTransition((state: null) => state, null)
  const machine = setup({ actors: { child } }).createMachine({
    context: { events: 0 },
    on: {
      'report.more': {
        actions: [
          spawnChild('child', { systemId: 'the one' }),
          assign({ events: ({ context, self }) => (self === undefined ? NaN : context.events + 1) }),
        ],
      },
    },
  })
  const event = { type: 'report.more' } as unknown as TeamEvent
  const begun = createActor(machine).getSnapshot() as AnyMachineSnapshot
  const [first] = transition(begun, event)
  const [second, actions] = transition(begun, event)
  expect([first, second].map(({ context }) => context as unknown)).toEqual([{ events: 1 }, { events: 1 }])
  expect(actions.map(({ type }) => type)).toEqual(['xstate.spawnChild'])
})
