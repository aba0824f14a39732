// Proves that a state is told by the name that people know, its leaf, however deep it lies: it fails when a team that
// scans is said to be `working`.
import { expect, test } from 'vitest'
import { coding } from '../../machines/coding.ts'
import { consultant } from '../../machines/consultant.ts'
import { coordinator } from '../../machines/coordinator.ts'
import { deliverable } from '../../machines/deliverable.ts'
import { leafOfValue } from '../../src/engine/decide/phase.ts'

type Node = { readonly key: string; readonly type: string; readonly states: Readonly<Record<string, Node>> }

/** Each state of a machine that holds no other, as a snapshot keeps it, with its name. */
function leaves({ type, states }: Node): [value: unknown, name: string][] {
  if (type === 'history') return []
  return Object.values(states)
    .filter((state) => state.type !== 'history')
    .flatMap((state) => {
      const inner = leaves(state)
      if (inner.length === 0) return [[state.key, state.key] as [unknown, string]]
      return inner.map(([value, name]): [unknown, string] => [{ [state.key]: value }, name])
    })
}

test.each([
  ['deliverable', deliverable],
  ['coding', coding],
  ['consultant', consultant],
  ['coordinator', coordinator],
])('every state of %s', (_, machine) => {
  const all = leaves(machine.root as unknown as Node)
  expect(all.length).toBeGreaterThan(5)
  expect(all.some(([value]) => typeof value === 'object')).toBe(true)
  expect(all.map(([value]) => leafOfValue(value))).toEqual(all.map(([, name]) => name))
})

test('of parallel states the last counts, and what holds nothing is itself the leaf', () => {
  expect(leafOfValue({ working: { reading: 'begun', writing: { page: 'first' } } })).toBe('first')
  expect(leafOfValue({ working: {} })).toBe('working')
})
