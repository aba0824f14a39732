// Proves that what a launch does next follows from what it sees by one table: each way that a session or a wait can end
// has exactly one row. It fails when a way out has no row or two, when another action follows than its row says, or when
// a row says what never happens.
import { expect, test } from 'vitest'
import {
  asked,
  endings,
  nextAction,
  obstacles,
  stands,
  waits,
  type Action,
  type LaunchState,
  type LaunchTerms,
  type Observation,
} from '../../src/agents/sessions/next-action.ts'

/** All that can be seen at once; what an observation does not have stays as it is. */
interface Case {
  readonly terms: LaunchTerms
  readonly state: LaunchState
  readonly seen: Observation
}

type Fact = string | number | boolean | undefined
/** Conditions of a row: the value of a fact, or one of several; facts that are not named may be anything. */
type When = Readonly<Record<string, Fact | readonly Fact[]>>
/** What follows: the action, and how many sessions count then, by how many counted before. */
type Row = readonly [when: When, action: Action | 'begin', counted?: (before: number) => number]

const more = (before: number) => before + 1
const none = () => 0
const atWork = ['working', 'called', 'waiting']
const byItself = ['unfinished', 'answered', 'forgot']
const goesOn = [...byItself, 'stopped', 'silent']
const forGood = ['over-budget', 'refused', 'looping', 'exhausted']
const notInterrupted = [undefined, 'timed-out', 'spent', 'limited']

const whenOpened: readonly Row[] = [
  [{ stands: 'changed' }, 'codebase-changed'],
  [{ stands: 'replaced' }, 'replaced'],
  [{ stands: ['finished', 'paused'] }, 'end'],
  [{ stands: atWork, hasPrompt: true }, 'begin'],
  [{ stands: atWork, hasPrompt: false, isAsking: true }, 'wait-for-answer'],
  [{ stands: ['working', 'called'], hasPrompt: false, isAsking: false }, 'begin'],
  [{ stands: 'waiting', hasPrompt: false, isAsking: false, idles: true }, 'wait-for-work'],
  [{ stands: 'waiting', hasPrompt: false, isAsking: false, idles: false }, 'end'],
]

const afterLimit: readonly Row[] = [
  [{ stands: 'changed' }, 'codebase-changed'],
  [{ stands: 'replaced' }, 'replaced'],
  [{ stands: ['finished', 'paused'] }, 'end'],
  [{ stands: atWork, isAsking: true }, 'wait-for-answer'],
  [{ stands: atWork, isAsking: false }, 'begin'],
]

const afterService: readonly Row[] = [
  [{ stands: 'changed' }, 'codebase-changed'],
  [{ stands: 'replaced' }, 'replaced'],
  [{ stands: ['finished', 'paused'] }, 'end'],
  [{ stands: atWork }, 'begin'],
]

const afterWork: readonly Row[] = [
  [{ stands: 'changed' }, 'codebase-changed'],
  [{ stands: 'replaced' }, 'replaced'],
  [{ stands: ['finished', 'paused'] }, 'end'],
  [{ stands: 'waiting', obstacle: 'interrupted' }, 'interrupted'],
  [{ stands: 'waiting', obstacle: notInterrupted }, 'end'],
  [{ stands: ['working', 'called'] }, 'begin', none],
]

const afterAnswer: readonly Row[] = [
  [{ stands: 'changed' }, 'codebase-changed'],
  [{ stands: 'replaced' }, 'replaced'],
  [{ stands: ['finished', 'paused'] }, 'end'],
  [{ stands: atWork, waited: 'ended' }, 'end'],
  [{ stands: atWork, waited: ['answered', 'news'] }, 'begin'],
  [{ stands: 'working', waited: 'unanswered' }, 'begin', more],
  [{ stands: ['called', 'waiting'], waited: 'unanswered', isLast: false }, 'begin', more],
  [{ stands: ['called', 'waiting'], waited: 'unanswered', isLast: true }, 'end'],
]

const afterSession: readonly Row[] = [
  [{ stands: 'changed' }, 'codebase-changed'],
  [{ stands: ['finished', 'paused'] }, 'end'],
  [{ stands: [...atWork, 'replaced'], ending: 'interrupted' }, 'interrupted'],
  [{ stands: [...atWork, 'replaced'], ending: 'timed-out' }, 'timed-out'],
  [
    {
      stands: 'replaced',
      ending: [...goesOn, ...forGood, 'limited', 'unavailable', 'overflowed', 'unwanted'],
    },
    'replaced',
  ],
  [{ stands: atWork, ending: 'unwanted' }, 'replaced'],
  ...forGood.map((ending): Row => [{ stands: atWork, ending }, ending as Action]),
  // patience has an end, and so has the number of failures in a row
  [{ stands: atWork, ending: 'unavailable', isPatient: true, failsAgain: false }, 'wait-for-service'],
  [
    { stands: atWork, ending: 'unavailable', isPatient: true, failsAgain: true, progressed: false },
    'unavailable',
  ],
  // what it got on with shows that the provider worked meanwhile
  [
    { stands: atWork, ending: 'unavailable', isPatient: true, failsAgain: true, progressed: true },
    'wait-for-service',
  ],
  [{ stands: atWork, ending: 'unavailable', isPatient: false }, 'unavailable'],
  // its next session begins from what was done
  [{ stands: atWork, ending: 'overflowed', isAsking: true }, 'wait-for-answer'],
  [{ stands: 'waiting', ending: 'overflowed', isAsking: false, stays: true }, 'end'],
  [{ stands: 'waiting', ending: 'overflowed', isAsking: false, stays: false, idles: false }, 'end'],
  [{ stands: 'waiting', ending: 'overflowed', isAsking: false, stays: false, idles: true }, 'wait-for-work'],
  [{ stands: ['working', 'called'], ending: 'overflowed', isAsking: false, progressed: true }, 'begin'],
  [
    { stands: ['working', 'called'], ending: 'overflowed', isAsking: false, progressed: false },
    'begin',
    more,
  ],
  [{ stands: atWork, ending: 'limited' }, 'wait-for-limit'],
  // it asked, and waits: whether it counts shows when the wait is over
  [{ stands: atWork, ending: goesOn, isAsking: true }, 'wait-for-answer'],
  // nothing to do: whoever stays between its turns has waited already
  [{ stands: 'waiting', ending: goesOn, isAsking: false, stays: true }, 'end'],
  [{ stands: 'waiting', ending: goesOn, isAsking: false, stays: false, idles: false }, 'end'],
  [{ stands: 'waiting', ending: goesOn, isAsking: false, stays: false, idles: true }, 'wait-for-work'],
  // it left its mail unread
  [{ stands: 'called', ending: byItself, isAsking: false }, 'end'],
  // to be started again
  [{ stands: ['working', 'called'], ending: 'stopped', isAsking: false }, 'begin'],
  [
    { stands: ['working', 'called'], ending: 'silent', isAsking: false, asked: ['nothing', 'again'] },
    'begin',
    more,
  ],
  [{ stands: ['working', 'called'], ending: 'silent', isAsking: false, asked: 'anew' }, 'begin'],
  [{ stands: 'working', ending: 'forgot', isAsking: false }, 'begin'],
  [{ stands: 'working', ending: 'answered', isAsking: false }, 'begin', none],
  [{ stands: 'working', ending: 'unfinished', isAsking: false, asked: ['nothing', 'again'] }, 'begin', more],
  [{ stands: 'working', ending: 'unfinished', isAsking: false, asked: 'anew' }, 'begin'],
]

/** A session that asked, by what becomes of it: how it counts when it is answered, and when it is not. */
const whoAsked: readonly (readonly [When, answered: typeof more, unanswered: typeof more])[] = [
  [{ ending: ['unfinished', 'silent'], asked: 'again' }, more, more],
  [{ ending: ['unfinished', 'silent'], asked: ['nothing', 'anew'] }, (before) => before, more],
  [{ ending: ['forgot', 'stopped'] }, (before) => before, (before) => before],
  [{ ending: 'answered' }, none, none],
  [{ ending: 'overflowed', progressed: true }, (before) => before, (before) => before],
  [{ ending: 'overflowed', progressed: false }, more, more],
]

const tables = {
  opening: whenOpened,
  session: afterSession,
  'wait-for-limit': afterLimit,
  'wait-for-service': afterService,
  'wait-for-work': afterWork,
  'wait-for-answer': afterAnswer,
} as const

const yesOrNo = [true, false]
const everySight = stands.flatMap((where) =>
  yesOrNo.flatMap((isAsking) =>
    [undefined, ...obstacles].map((obstacle) => ({ stands: where, isAsking, obstacle })),
  ),
)
const everySession = endings.flatMap((ending) =>
  asked.flatMap((question) =>
    yesOrNo.flatMap((stays) =>
      yesOrNo.flatMap((progressed) =>
        yesOrNo.map((isPatient) => ({ ending, asked: question, stays, progressed, isPatient })),
      ),
    ),
  ),
)

function observationsAfter(after: keyof typeof tables): Observation[] {
  return everySight.flatMap((sight): Observation[] => {
    if (after === 'session') return everySession.map((session) => ({ after, ...session, ...sight }))
    if (after === 'wait-for-answer') return waits.map((waited) => ({ after, waited, ...sight }))
    return [{ after, ...sight }]
  })
}

const maxSessions = 3
const maxFailures = 2
const everyTerms = yesOrNo.flatMap((hasPrompt) =>
  yesOrNo.map((idles) => ({ maxSessions, maxFailures, hasPrompt, idles })),
)

function everyCase(after: keyof typeof tables): Case[] {
  return observationsAfter(after).flatMap((seen) =>
    everyTerms.flatMap((terms) =>
      Array.from({ length: maxSessions }, (_, counted) =>
        [0, maxFailures - 1].map((failures) => ({
          terms,
          // where an answer was waited for, the last session may count
          state: { counted, countedUnanswered: counted + (after === 'wait-for-answer' ? 1 : 0), failures },
          seen,
        })),
      ).flat(),
    ),
  )
}

/** The rows of a table that hold for a case. */
function rowsFor<Holding extends readonly [When, ...unknown[]]>(
  table: readonly Holding[],
  { terms, state, seen }: Case,
): Holding[] {
  const isLast = state.countedUnanswered === terms.maxSessions
  const failsAgain = state.failures + 1 === terms.maxFailures
  const { hasPrompt, idles } = terms
  const facts: Record<string, unknown> = Object.assign({}, seen, { hasPrompt, idles, isLast, failsAgain })
  return table.filter(([when]) => holds(when, facts))
}

/** A loop, and no function for each fact: there are ten million. */
function holds(when: When, facts: Readonly<Record<string, unknown>>): boolean {
  for (const fact in when) {
    const value = when[fact]
    if (Array.isArray(value) ? !value.includes(facts[fact]) : facts[fact] !== value) return false
  }
  return true
}

/** A session begins where one may count and nothing is in its way. */
function begins({ terms, seen }: Case, counted: number): Action {
  if (counted >= terms.maxSessions) return 'give-up'
  return seen.obstacle === 'limited' ? 'wait-for-limit' : (seen.obstacle ?? 'session')
}

test.each(Object.keys(tables) as (keyof typeof tables)[])('after %s one row says what follows', (after) => {
  const used = new Set<Row>()
  const wrong = everyCase(after).filter((one) => {
    const [row, ...others] = rowsFor(tables[after], one)
    if (row === undefined || others.length > 0) return true
    used.add(row)
    const [, action, counts = (before: number) => before] = row
    const next = nextAction(one.terms, one.state, one.seen)
    if (action !== 'begin') return next.action !== action
    const counted = counts(one.state.counted)
    return next.action !== begins(one, counted) || next.state.counted !== counted
  })
  expect(wrong).toEqual([])
  // no row is dead
  expect(tables[after].filter((row) => !used.has(row))).toEqual([])
})

test('a session that asked counts by what becomes of its question', () => {
  const waiting = everyCase('session').filter(
    ({ terms, state, seen }) => nextAction(terms, state, seen).action === 'wait-for-answer',
  )
  expect(waiting.length).toBeGreaterThan(0)
  const wrong = waiting.filter((one) => {
    const [row, ...others] = rowsFor(whoAsked, one)
    if (row === undefined || others.length > 0) return true
    const { counted, countedUnanswered } = nextAction(one.terms, one.state, one.seen).state
    const [, answered, unanswered] = row
    return counted !== answered(one.state.counted) || countedUnanswered !== unanswered(one.state.counted)
  })
  expect(wrong).toEqual([])
})
