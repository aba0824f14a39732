import type { AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { controlSubjects } from '../../../machines/guards.ts'
import type { AskedEffect, TeamEvent } from '../../../machines/team-event.ts'
import type { Refusal } from './lifecycle.ts'
import { whyUnproven } from './proof-in-words.ts'
import { transition } from './transition.ts'
import {
  acceptedEvents,
  covers,
  declaredTransitions,
  defers,
  knows,
  leafOf,
  needOf,
  unmetGuards,
  type Declared,
} from './transitions.ts'

export type Decision =
  | {
      readonly outcome: 'accepted'
      readonly next: AnyMachineSnapshot
      readonly asked: readonly AskedEffect[]
    }
  | { readonly outcome: 'refused'; readonly refusal: Refusal }
  | { readonly outcome: 'deferred' }

/** Asks the machine about an event. Pure, and the only place where the machine of a team is asked. */
export function decide(snapshot: AnyMachineSnapshot, event: TeamEvent): Decision {
  if (snapshot.status !== 'active') {
    return refused(
      'finished',
      `the team is ${leafOf(snapshot)}, which is final; a new mission begins with a reset`,
    )
  }
  if (snapshot.can(event)) {
    const [next, actions] = transition(snapshot, event)
    const asked = (actions as unknown as AskedEffect[]).filter(({ type }) => type === 'answerAsker')
    return { outcome: 'accepted', next, asked }
  }
  if (isDeferred(snapshot, event)) return { outcome: 'deferred' }
  if (!knows(snapshot, event.type)) {
    return refused(
      'unknown-event',
      `no state of a ${snapshot.machine.id} team takes ${event.type}; ${acceptance(snapshot)}`,
    )
  }
  const candidates = candidatesFor(snapshot, event)
  if (candidates.length === 0) {
    return refused(
      'not-accepted-here',
      `${leafOf(snapshot)} does not take ${event.type}; ${acceptance(snapshot)}`,
    )
  }
  const unmet = candidates
    .map((candidate) => unmetGuards(snapshot, candidate, event))
    .toSorted((a, b) => a.length - b.length)[0]
  return refused(
    'guard-refused',
    `${event.type} needs that ${unmet?.map((guard) => explain(snapshot.machine, guard, event)).join(', and that ')}`,
  )
}

function refused(kind: Refusal['kind'], message: string): Decision {
  return { outcome: 'refused', refusal: { kind, message } }
}

function acceptance(snapshot: AnyMachineSnapshot): string {
  return `${leafOf(snapshot)} takes ${acceptedEvents(snapshot).join(', ')}`
}

/** Whether an event is a directive of `controlSubjects`, such as `directive.pause`. */
function isControl(event: TeamEvent): boolean {
  return (
    controlSubjects.includes(event.type.slice('directive.'.length)) && event.type.startsWith('directive.')
  )
}

function isDeferred(snapshot: AnyMachineSnapshot, event: TeamEvent): boolean {
  return defers(snapshot, event.type, isControl(event))
}

/**
 * Transitions of the present state for an event: those that name it, else those whose wildcard covers it. A
 * wildcard never covers a directive of `controlSubjects`.
 */
export function candidatesFor(snapshot: AnyMachineSnapshot, event: Pick<TeamEvent, 'type'>): Declared[] {
  const declared = declaredTransitions(snapshot)
  const exact = declared.filter(({ eventType }) => eventType === event.type)
  if (exact.length > 0 || isControl(event as TeamEvent)) return exact
  return declared.filter(({ eventType }) => covers(eventType, event.type))
}

/** Guards that read the `branch` evidence: what git says of the team's branch. */
export const askOfBranch: readonly string[] = [
  'hasOwnWork',
  'isCommitted',
  'staysInPaths',
  'testsPassedOnHead',
  'headIsTested',
]

/** What a guard needs, in words; with the reason from the evidence in brackets, where there is one. */
function explain(machine: AnyStateMachine, guard: string, event: TeamEvent): string {
  const { evidence } = event
  const requirement = needOf(machine, guard, evidence)
  if (guard === 'meetsStandards' && evidence.deliverable !== undefined) {
    const problems = evidence.deliverable.problems.map(({ line, message }) => `line ${line}: ${message}`)
    return `${requirement} (${problems.join('; ')})`
  }
  if (guard === 'hasFindings' && evidence.badFindings !== undefined)
    return `${requirement} (${evidence.badFindings})`
  if (evidence.branch === undefined && askOfBranch.includes(guard))
    return `${requirement} (git knows no commit there; 'fed doctor' says more)`
  if (guard === 'hasOwnWork') return `${requirement} (${whyNoWork(evidence.branch)})`
  if (guard === 'knowsTarget') return `${requirement} (${whyNoTarget(evidence.base)})`
  if (guard === 'isMerged') return `${requirement} (${whyNotMerged(evidence.merge)})`
  if (guard === 'isCommitted' && evidence.branch !== undefined) {
    return `${requirement} (${evidence.branch.uncommitted.slice(0, 5).join(', ')})`
  }
  if (guard === 'planIsSound' && evidence.plan !== undefined) {
    const problems = evidence.plan.problems.map(({ line, message }) => `line ${line}: ${message}`)
    return `${requirement} (${problems.join('; ')})`
  }
  if (guard === 'hasInputs' && evidence.lostInputs !== undefined)
    return `${requirement} (${evidence.lostInputs.join('; ')})`
  if (guard === 'staysInPaths' && evidence.branch?.outside !== undefined)
    return `${requirement} (${evidence.branch.outside.slice(0, 5).join(', ')})`
  if (guard === 'testsPassedOnHead') return `${requirement} (${whyUnproven(event)})`
  if (guard === 'leftCodebaseAlone') return `${requirement} (${whatChanged(evidence)})`
  return requirement
}

function whyNoWork(branch: TeamEvent['evidence']['branch']): string {
  if (branch?.instead !== undefined)
    return `the worktree has ${branch.instead} checked out, which is not the team's`
  return branch?.ahead === 0
    ? 'nothing was committed on it since the mission began'
    : 'its commits change no file'
}

function whyNoTarget({ target, start }: NonNullable<TeamEvent['evidence']['base']> = {}): string {
  if (target === undefined)
    return "the root has no branch checked out; 'target' in federate.config.json or --into names one"
  return start === undefined
    ? `git knows no branch ${target}, the target; 'target' in federate.config.json or --into names another`
    : "the team has no branch of its own; 'fed doctor' says more"
}

function whyNotMerged(merge: TeamEvent['evidence']['merge']): string {
  if (merge === undefined) return "git does not know the target or the team's commit any more"
  const { branch, target, missing, unseen } = merge
  const commits = `${missing} commit${missing === 1 ? '' : 's'} of ${branch}`
  const told = `${commits} cannot be found in ${target}: 'git cherry -v ${target} ${branch}' marks them with a plus, or a minus where white space alone differs`
  return unseen === undefined ? told : `${told}; ${unseen}`
}

/** Words for a refusal by `leftCodebaseAlone`: what changed, and what happens next. */
function whatChanged({ codebase }: TeamEvent['evidence']): string {
  const [first, second, third, ...more] = codebase?.changes ?? []
  const named = [first, second, third].filter((line) => line !== undefined).join(', ')
  const rest = more.length === 0 ? '' : ' and more'
  const what =
    codebase?.verdict === 'changed'
      ? `${named}${rest}`
      : 'nobody knows: what fed remembered of it for this session is gone'
  return `${what}; end the session, and whoever launched it is asked`
}
