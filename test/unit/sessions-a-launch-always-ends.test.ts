// Proves that a launch ends, whatever it sees: any chain of sessions and waits ends within the sessions that may count
// and the failures that are borne. It fails when a session counts that did not run, when one begins that may not, or when
// excuses renew what is used up.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  asked,
  beforeLaunch,
  endings,
  ends,
  nextAction,
  obstacles,
  stands,
  steps,
  waits,
  type Action,
  type LaunchState,
  type LaunchTerms,
  type Observation,
} from '../../src/agents/sessions/next-action.ts'

const sight = fc.record({
  stands: fc.constantFrom(...stands),
  isAsking: fc.boolean(),
  obstacle: fc.option(fc.constantFrom(...obstacles), { nil: undefined, freq: 8 }),
})
/** All that may be seen after whichever action. */
const anything = fc.record({
  sight,
  session: fc.record({
    ending: fc.constantFrom(...endings),
    asked: fc.constantFrom(...asked),
    stays: fc.boolean(),
    progressed: fc.boolean(),
    isPatient: fc.boolean(),
  }),
  waited: fc.constantFrom(...waits),
})
type Anything = typeof anything extends fc.Arbitrary<infer Value> ? Value : never

const isStep = (action: Action): action is (typeof steps)[number] =>
  (steps as readonly Action[]).includes(action)

/** A launch that sees these things, one after another, as far as it gets. */
function walk(terms: LaunchTerms, things: readonly Anything[]) {
  const way: { readonly seen: Observation; readonly state: LaunchState; readonly action: Action }[] = []
  let [state, after]: [LaunchState, Observation['after']] = [beforeLaunch, 'opening']
  for (const { sight: seenNow, session, waited } of things) {
    const seen: Observation =
      after === 'session'
        ? { after, ...session, ...seenNow }
        : after === 'wait-for-answer'
          ? { after, waited, ...seenNow }
          : { after, ...seenNow }
    const next = nextAction(terms, Object.freeze(state), Object.freeze(seen))
    state = next.state
    way.push({ seen, ...next })
    if (!isStep(next.action)) return { way, isOver: true }
    after = next.action
  }
  return { way, isOver: false }
}

const anyTerms = fc.record({
  maxSessions: fc.integer({ min: 1, max: 4 }),
  maxFailures: fc.integer({ min: 1, max: 3 }),
  hasPrompt: fc.boolean(),
  idles: fc.boolean(),
})

test('whatever a launch sees, no session counts that did not run, and none begins that may not', () => {
  fc.assert(
    fc.property(anyTerms, fc.array(anything, { maxLength: 40 }), (terms, things) => {
      const { way } = walk(terms, things)
      let ran = 0
      for (const { seen, state, action } of way) {
        if (seen.after === 'session') ran += 1
        expect(state.counted).toBeGreaterThanOrEqual(0)
        expect(state.counted).toBeLessThanOrEqual(Math.min(ran, terms.maxSessions))
        expect(state.countedUnanswered).toBeGreaterThanOrEqual(state.counted)
        expect(state.countedUnanswered).toBeLessThanOrEqual(Math.min(ran, terms.maxSessions))
        if (action === 'give-up') expect(state.counted).toBe(terms.maxSessions)
        if (action !== 'session') continue
        expect(state.counted).toBeLessThan(terms.maxSessions)
        expect(['working', 'called', 'waiting']).toContain(seen.stands)
        expect(seen.obstacle).toBe(undefined)
      }
      expect([...steps, ...ends]).toEqual(expect.arrayContaining(way.map(({ action }) => action)))
    }),
  )
})

test('an agent that only ends unfinished, or is silent, is started as often as may be, and no more', () => {
  const unfinished = anything.map(({ session, ...rest }): Anything => ({
    ...rest,
    sight: { stands: 'working', isAsking: false, obstacle: undefined },
    session: { ...session, ending: session.stays ? 'unfinished' : 'silent', asked: 'nothing' },
  }))
  fc.assert(
    fc.property(anyTerms, fc.array(unfinished, { minLength: 6, maxLength: 6 }), (terms, things) => {
      const { way, isOver } = walk(terms, things)
      expect(isOver).toBe(true)
      expect(way.map(({ action }) => action)).toEqual([
        ...Array.from({ length: terms.maxSessions }, () => 'session'),
        'give-up',
      ])
    }),
  )
})

test('a provider that fails again and again is asked as often as may be, and no session counts for it', () => {
  const failing = anything.map(({ session, ...rest }): Anything => ({
    ...rest,
    sight: { stands: 'working', isAsking: false, obstacle: undefined },
    session: { ...session, ending: 'unavailable', isPatient: true, progressed: false },
  }))
  fc.assert(
    fc.property(anyTerms, fc.array(failing, { minLength: 8, maxLength: 8 }), (terms, things) => {
      const { way, isOver } = walk(terms, things)
      expect(isOver).toBe(true)
      expect(way.map(({ action }) => action)).toEqual([
        'session',
        ...Array.from({ length: terms.maxFailures - 1 }, () => ['wait-for-service', 'session']).flat(),
        'unavailable',
      ])
      expect(way.every(({ state }) => state.counted === 0)).toBe(true)
    }),
  )
})

test('a launch ends once its sessions are used up, however many excuses and waits lie between', () => {
  fc.assert(
    fc.property(anyTerms, fc.array(anything, { maxLength: 60 }), (terms, things) => {
      const { way } = walk(terms, things)
      // from one renewal to the next: a wait for work, or a consultant's next question
      let counted = 0
      for (const { seen, state } of way) {
        const isRenewed =
          (seen.after === 'session' && seen.ending === 'answered') || seen.after === 'wait-for-work'
        if (!isRenewed) expect(state.counted).toBeGreaterThanOrEqual(counted)
        expect(state.counted).toBeLessThanOrEqual(counted + 1)
        counted = state.counted
      }
    }),
  )
})
