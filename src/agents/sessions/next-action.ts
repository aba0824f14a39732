/** What a launch does next: starts a session, waits, or is over, for one of the reasons behind that. */
export type Action = (typeof steps)[number] | (typeof ends)[number]

/** After these a launch looks again and asks what is next. */
export const steps = ['session', 'wait-for-limit', 'wait-for-work', 'wait-for-answer'] as const

/**
 * With these it is over. `end`: where the team stands is all that there is to say; `give-up`: its agent ended
 * unfinished too often; the others are refusals.
 */
export const ends = [
  ...['end', 'give-up', 'interrupted', 'timed-out', 'replaced', 'refused'],
  ...['codebase-changed', 'over-budget', 'spent'],
] as const

/**
 * Where a team stands. `called`: it waits for somebody else, and mail for its agent is unread; `waiting`: nothing is;
 * `replaced`: it is on another mission than the one that was launched; `changed`: it was paused because the codebase
 * changed under an agent that only reads.
 */
export const stands = ['working', 'called', 'waiting', 'paused', 'finished', 'replaced', 'changed'] as const

/**
 * How a session ended. `unfinished`: the agent ended by itself; `answered`: and it had answered its question, and is
 * asked the next; `forgot`: and it knew nothing of the session with which it was to go on; `stopped`: the team was
 * paused, and maybe resumed since; `refused`: the agent cannot do the mission, or not as it is set up.
 */
export const endings = [
  ...['unfinished', 'answered', 'forgot', 'stopped', 'silent'],
  ...['limited', 'over-budget', 'refused', 'interrupted', 'timed-out', 'unwanted'],
] as const

/** Why no session may begin, whatever there is to do. */
export const obstacles = ['interrupted', 'timed-out', 'spent'] as const

/** What a session asked others: nothing, something that the mission had not asked before, or only what it had. */
export const asked = ['nothing', 'anew', 'again'] as const

/**
 * Why a team with open questions has something to do again: each was answered, one never was, or something else came
 * for its agent. `ended` when it is paused, finished or on another mission: then it has not.
 */
export const waits = ['answered', 'unanswered', 'news', 'ended'] as const
export type Waited = (typeof waits)[number]

/** What a launch sees once it has done what it was to do. */
export type Observation = {
  readonly stands: (typeof stands)[number]
  /** Whether a question that the team asked is open. */
  readonly isAsking: boolean
  readonly obstacle: (typeof obstacles)[number] | undefined
} & (
  | { readonly after: 'opening' | 'wait-for-limit' | 'wait-for-work' }
  | {
      readonly after: 'session'
      readonly ending: (typeof endings)[number]
      readonly asked: (typeof asked)[number]
      /** Whether its agent stays between its turns: it has waited for work itself. */
      readonly stays: boolean
    }
  | { readonly after: 'wait-for-answer'; readonly waited: Waited }
)

/** What a launch was asked for. */
export interface LaunchTerms {
  /** Sessions that may count, at least 1. */
  readonly maxSessions: number
  /** Whether the agent is told words of somebody's own: then it begins although the team has nothing to do. */
  readonly hasPrompt: boolean
  /** Whether a team without anything to do is stayed with. */
  readonly idles: boolean
}

/** What a launch remembers from one action to the next. */
export interface LaunchState {
  /** Sessions that count: those in which the agent ended unfinished, and for no reason that excuses it. */
  readonly counted: number
  /** The same, should nobody answer what the last one asked. */
  readonly countedUnanswered: number
}

export const beforeLaunch: LaunchState = { counted: 0, countedUnanswered: 0 }

interface Next {
  readonly state: LaunchState
  readonly action: Action
}

/** What follows what a launch sees: no file, no clock, no promise; every way that a launch can take goes through it. */
export function nextAction(terms: LaunchTerms, state: LaunchState, seen: Observation): Next {
  if (seen.after === 'session') return afterSession(terms, state, seen)
  if (seen.stands === 'changed') return over(state, 'codebase-changed')
  if (seen.stands === 'replaced') return over(state, 'replaced')
  if (isOver(seen)) return over(state, 'end')
  switch (seen.after) {
    case 'opening':
      if (terms.hasPrompt || (seen.stands !== 'waiting' && !seen.isAsking))
        return begin(terms, state.counted, seen)
      return { state, action: whatIsWaitedFor(terms, seen) }
    case 'wait-for-limit':
      return begin(terms, state.counted, seen)
    case 'wait-for-work':
      if (seen.stands === 'waiting')
        return over(state, seen.obstacle === 'interrupted' ? 'interrupted' : 'end')
      // what came is a work of its own
      return begin(terms, 0, seen)
    case 'wait-for-answer': {
      if (seen.waited === 'ended') return over(state, 'end')
      if (seen.waited !== 'unanswered') return begin(terms, state.counted, seen)
      // that nobody answered fails no mission that waits for somebody else as well
      const isExhausted = state.countedUnanswered >= terms.maxSessions
      if (isExhausted && seen.stands !== 'working') return over(state, 'end')
      return begin(terms, state.countedUnanswered, seen)
    }
  }
}

function afterSession(
  terms: LaunchTerms,
  { counted }: LaunchState,
  seen: Extract<Observation, { after: 'session' }>,
): Next {
  const { ending, stays } = seen
  const state = withSession(counted, seen)
  if (seen.stands === 'changed') return over(state, 'codebase-changed')
  if (isOver(seen)) return over(state, 'end')
  if (ending === 'interrupted' || ending === 'timed-out') return over(state, ending)
  if (ending === 'unwanted' || seen.stands === 'replaced') return over(state, 'replaced')
  if (ending === 'refused' || ending === 'over-budget') return over(state, ending)
  if (ending === 'limited') return { state, action: 'wait-for-limit' }
  if (seen.isAsking) return { state, action: 'wait-for-answer' }
  if (seen.stands === 'waiting') return { state, action: stays ? 'end' : whatIsWaitedFor(terms, seen) }
  // one that leaves its mail unread would not read it the next time
  if (seen.stands === 'called' && endsByItself.has(ending)) return over(state, 'end')
  return begin(terms, state.counted, seen)
}

const endsByItself: ReadonlySet<string> = new Set(['unfinished', 'answered', 'forgot'])

/** What a session adds to those that count. */
function withSession(
  before: number,
  { ending, asked: question, isAsking }: Extract<Observation, { after: 'session' }>,
): LaunchState {
  // it answered, and the next question is a work of its own
  if (ending === 'answered') return same(0)
  // only one that went on until it had nothing more to say has had its turn
  if (ending !== 'unfinished' && ending !== 'silent') return same(before)
  // it ended because it had to wait; one that only repeats itself, or is not answered, would do so for ever
  const isExcused = question === 'anew' || (isAsking && question !== 'again')
  const after = before + 1
  return { counted: isExcused ? before : after, countedUnanswered: isAsking || !isExcused ? after : before }
}

function same(counted: number): LaunchState {
  return { counted, countedUnanswered: counted }
}

function whatIsWaitedFor({ idles }: LaunchTerms, { isAsking }: Observation): Action {
  if (isAsking) return 'wait-for-answer'
  return idles ? 'wait-for-work' : 'end'
}

/** Begins a session, if one may begin. */
function begin({ maxSessions }: LaunchTerms, counted: number, { obstacle }: Observation): Next {
  return { state: same(counted), action: counted >= maxSessions ? 'give-up' : (obstacle ?? 'session') }
}

function isOver({ stands: where }: Observation): boolean {
  return where === 'finished' || where === 'paused'
}

function over(state: LaunchState, action: (typeof ends)[number]): Next {
  return { state, action }
}
