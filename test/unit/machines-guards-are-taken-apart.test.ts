// Proves that every guard that a transition combines by `and` is known by its name, however deep it stands: only then
// is evidence gathered for it and told what is missing. Fails when only the outermost `and` is taken apart.
import { and, setup } from 'xstate'
import { expect, test } from 'vitest'
import { asksGuard, guardNames, type Declared } from '../../src/engine/decide/transitions.ts'

const guards = { fromSelf: () => true, hasFindings: () => true, meetsStandards: () => true }
const machine = setup({ guards }).createMachine({
  on: { report: { guard: and(['fromSelf', and(['hasFindings', and(['meetsStandards'])])]) } },
})

test('guards in guards', () => {
  const [declared] = (machine.root.transitions as unknown as Map<string, Declared[]>).get('report') ?? []
  expect(guardNames(declared as Declared)).toEqual(['fromSelf', 'hasFindings', 'meetsStandards'])
  expect(asksGuard(machine, 'meetsStandards')).toBe(true)
})
