/** What a launch does next: one of `steps`, or one of `ends`, which also says why the launch is over. */
export type Action = (typeof steps)[number] | (typeof ends)[number]

/** Actions after which a launch looks again and asks for the next one. */
export const steps = [
  ...['session', 'wait-for-limit', 'wait-for-service', 'wait-for-work', 'wait-for-answer'],
] as const

/**
 * Actions that end a launch. `end`: without an error, as the team stands; `give-up`: its agent ended
 * unfinished too often; the others: with an error.
 */
export const ends = [
  ...['end', 'give-up', 'interrupted', 'timed-out', 'replaced', 'refused'],
  ...['codebase-changed', 'over-budget', 'spent', 'unavailable', 'looping', 'exhausted'],
] as const

/**
 * Where a team stands. `called`: it waits for somebody else, and its agent has unread mail; `waiting`: it
 * waits for somebody else, and there is no mail; `replaced`: it is on another mission than the launched one;
 * `changed`: it was paused because the codebase changed under an agent that only reads.
 */
export const stands = ['working', 'called', 'waiting', 'paused', 'finished', 'replaced', 'changed'] as const

/**
 * How a session ended. `unfinished`: the agent ended by itself; `answered`: the agent ended by itself after
 * it answered the question that it was asked, and the next one is there; `forgot`: the agent ended by itself,
 * but did not know the session that it was to resume; `stopped`: the team was paused, and may have been
 * resumed since; `silent`: the agent printed nothing for too long; `unavailable`: its provider failed for
 * a while; `overflowed`: the agent's own session was too long for its model; `looping`: the same was refused
 * again and again; `exhausted`: it used up more of the machine than walls let it; `refused`: the agent cannot do the mission, or not until a person sees to it.
 */
export const endings = [
  ...['unfinished', 'answered', 'forgot', 'stopped', 'silent'],
  ...['limited', 'unavailable', 'overflowed', 'looping'],
  ...['over-budget', 'exhausted', 'refused', 'interrupted', 'timed-out', 'unwanted'],
] as const
export type Ending = (typeof endings)[number]

/**
 * Why no session may begin, even if there is something to do. `limited`: another team's agent met a limit of the same
 * provider, which has not passed.
 */
export const obstacles = ['interrupted', 'timed-out', 'spent', 'limited'] as const

/** What a session asked others: nothing, something new in this mission, or only what was asked before. */
export const asked = ['nothing', 'anew', 'again'] as const

/**
 * Why the wait for answers ended. `answered`: all questions were answered; `unanswered`: none is open, but
 * one got no answer in time; `news`: something else came for the agent; `ended`: the team was paused, has
 * finished or is on another mission.
 */
export const waits = ['answered', 'unanswered', 'news', 'ended'] as const
export type Waited = (typeof waits)[number]

/** What a launch sees after an action. */
export type Observation = {
  readonly stands: (typeof stands)[number]
  /** Whether a question that the team asked is open. */
  readonly isAsking: boolean
  readonly obstacle: (typeof obstacles)[number] | undefined
} & (
  | { readonly after: 'opening' | 'wait-for-limit' | 'wait-for-service' | 'wait-for-work' }
  | {
      readonly after: 'session'
      readonly ending: Ending
      readonly asked: (typeof asked)[number]
      /** Whether the team got on in it: something of it was accepted, or committed. */
      readonly progressed: boolean
      /** Whether a provider that fails may still be waited for. */
      readonly isPatient: boolean
      /** Whether the driver was `acp`: then the session has already waited for `idleMs` before it ended. */
      readonly stays: boolean
    }
  | { readonly after: 'wait-for-answer'; readonly waited: Waited }
)

/** What a launch was asked for. */
export interface LaunchTerms {
  /** Most sessions that may count (see `LaunchState`), at least 1. */
  readonly maxSessions: number
  /** Whether the launch has a prompt of its own: then a session begins even if the team has nothing to do. */
  readonly hasPrompt: boolean
  /** Most sessions in a row that may end because the provider failed. */
  readonly maxFailures: number
  /** Whether the launch stays with a team that has nothing to do. */
  readonly idles: boolean
}

/** What a launch remembers from one action to the next. */
export interface LaunchState {
  /** Number of sessions that count: they ended unfinished or silent, and no question excuses that. */
  readonly counted: number
  /** What `counted` becomes when the question that the last session asked gets no answer. */
  readonly countedUnanswered: number
  /** Number of sessions in a row that ended because the provider failed. */
  readonly failures: number
}

export const beforeLaunch: LaunchState = { counted: 0, countedUnanswered: 0, failures: 0 }

interface Next {
  readonly state: LaunchState
  readonly action: Action
}

/** Decides a launch's next action from what it sees. Pure: no file, no clock, no promise. */
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
      if (seen.isAsking) return { state, action: 'wait-for-answer' }
      return begin(terms, state.counted, seen)
    case 'wait-for-service':
      return begin(terms, state.counted, seen, state.failures)
    case 'wait-for-work':
      if (seen.stands === 'waiting')
        return over(state, seen.obstacle === 'interrupted' ? 'interrupted' : 'end')
      // what came is new work: the count begins anew
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
  before: LaunchState,
  seen: Extract<Observation, { after: 'session' }>,
): Next {
  const { ending, stays } = seen
  const state = withSession(before, seen)
  if (seen.stands === 'changed') return over(state, 'codebase-changed')
  if (isOver(seen)) return over(state, 'end')
  if (ending === 'interrupted' || ending === 'timed-out') return over(state, ending)
  if (ending === 'unwanted' || seen.stands === 'replaced') return over(state, 'replaced')
  if (ending === 'refused' || ending === 'over-budget' || ending === 'looping' || ending === 'exhausted')
    return over(state, ending)
  if (ending === 'unavailable') {
    const isEnough = state.failures >= terms.maxFailures || !seen.isPatient
    return isEnough ? over(state, 'unavailable') : { state, action: 'wait-for-service' }
  }
  if (ending === 'limited') return { state, action: 'wait-for-limit' }
  if (seen.isAsking) return { state, action: 'wait-for-answer' }
  if (seen.stands === 'waiting') return { state, action: stays ? 'end' : whatIsWaitedFor(terms, seen) }
  // an agent that left its mail unread would not read it in the next session either
  if (seen.stands === 'called' && endsByItself.has(ending)) return over(state, 'end')
  return begin(terms, state.counted, seen, state.failures)
}

const endsByItself: ReadonlySet<string> = new Set(['unfinished', 'answered', 'forgot'])

/** The counts after a session. */
function withSession(
  { counted: before, failures }: LaunchState,
  { ending, asked: question, isAsking, progressed }: Extract<Observation, { after: 'session' }>,
): LaunchState {
  // what it got on with before it failed shows that the provider worked meanwhile
  if (ending === 'unavailable') return same(before, progressed ? 1 : failures + 1)
  // each new session begins from less: it ends only where nothing comes of it
  if (ending === 'overflowed') return same(progressed ? before : before + 1)
  // it answered, and the next question is new work: the count begins anew
  if (ending === 'answered') return same(0)
  // a session that was cut short, or that forgot, does not count
  if (ending !== 'unfinished' && ending !== 'silent') return same(before, ending === 'forgot' ? failures : 0)
  // it ended to wait for an answer; one that only repeats itself, or gets no answer, would do so for ever
  const isExcused = question === 'anew' || (isAsking && question !== 'again')
  const after = before + 1
  return {
    counted: isExcused ? before : after,
    countedUnanswered: isAsking || !isExcused ? after : before,
    failures: 0,
  }
}

function same(counted: number, failures = 0): LaunchState {
  return { counted, countedUnanswered: counted, failures }
}

function whatIsWaitedFor({ idles }: LaunchTerms, { isAsking }: Observation): Action {
  if (isAsking) return 'wait-for-answer'
  return idles ? 'wait-for-work' : 'end'
}

/** The start of a session, or why none may begin. */
function begin({ maxSessions }: LaunchTerms, counted: number, { obstacle }: Observation, failures = 0): Next {
  return {
    state: same(counted, failures),
    action: counted >= maxSessions ? 'give-up' : inTheWay(obstacle),
  }
}

function inTheWay(obstacle: Observation['obstacle']): Action {
  return obstacle === 'limited' ? 'wait-for-limit' : (obstacle ?? 'session')
}

function isOver({ stands: where }: Observation): boolean {
  return where === 'finished' || where === 'paused'
}

function over(state: LaunchState, action: (typeof ends)[number]): Next {
  return { state, action }
}
