import type { GateAnswer } from '../../../machines/coordinator.ts'
import type { TaskEvent } from '../../../machines/task.ts'
import type { TaskMove } from '../../../machines/team-event.ts'
import type { TaskStanding } from '../../../machines/task-standing.ts'
import { readDuration } from '../../protocol/duration.ts'
import { conditionOf, waitsFor, type Plan, type PlannedTask } from '../../protocol/plan-schema.ts'
import { msBetween } from '../../protocol/time.ts'

/** What is known of a task's team, as its lifecycle's last commit says. */
export interface TeamFacts {
  /** Which attempt of the task its mission is. */
  readonly attempt: number
  readonly phase: 'working' | 'complete' | 'failed'
  /** Whether it waits for somebody else, so that no agent of it runs. */
  readonly waits: boolean
  /** Why it failed. */
  readonly reason: string | null
  /** What proves its result; null while nothing does. */
  readonly proof: string | null
}

/** What a plan's next moves follow from, beside the plan itself. */
export interface ScheduleFacts {
  /** How many agents may work at once. */
  readonly slots: number
  readonly tasks: ReadonlyMap<string, TaskStanding>
  readonly teams: ReadonlyMap<string, TeamFacts>
  /** Answers to gates: of each the first that came since it was asked. */
  readonly answers: ReadonlyMap<string, GateAnswer>
  /** ISO 8601. */
  readonly now: string
}

/**
 * What happens next to the tasks of a plan, at most one thing to each, in the plan's order: the same for whoever asks
 * with the same facts. Nothing follows any more when no task can move by itself.
 */
export function nextMoves({ tasks }: Pick<Plan, 'tasks'>, facts: ScheduleFacts): TaskMove[] {
  let slots = facts.slots - atWork(facts)
  return tasks.flatMap((planned): TaskMove[] => {
    const standing = facts.tasks.get(planned.id)
    if (standing === undefined) return []
    if (standing.state === 'ready') {
      slots -= 1
      return slots < 0 ? [] : [{ task: planned.id, event: { type: 'start', ...momentOf(standing, facts) } }]
    }
    const event = moveOf(planned, standing, facts)
    return event === undefined ? [] : [{ task: planned.id, event }]
  })
}

type Moment = Pick<TaskEvent, 'at' | 'after'>

function momentOf({ context }: TaskStanding, { now: at }: ScheduleFacts): Moment {
  return { at, after: context.moves }
}

/** How many tasks hold a slot: those whose teams have something to do. */
function atWork({ tasks, teams }: ScheduleFacts): number {
  return [...tasks].filter(([id, { state }]) => state === 'running' && teams.get(id)?.waits !== true).length
}

function moveOf(planned: PlannedTask, standing: TaskStanding, facts: ScheduleFacts): TaskEvent | undefined {
  const when = momentOf(standing, facts)
  switch (standing.state) {
    case 'waiting': {
      const { blockedBy, isOpen } = edgesOf(planned, facts)
      if (blockedBy !== undefined) return { type: 'block', ...when, reason: blockedBy }
      return isOpen ? undefined : { type: 'unblock', ...when }
    }
    case 'blocked':
      return edgesOf(planned, facts).blockedBy === undefined ? { type: 'revive', ...when } : undefined
    case 'gated':
      return answered(planned, standing, facts, when)
    case 'running':
    case 'proving':
      return worked(standing, facts.teams.get(planned.id), when)
    case 'ready':
    case 'failed':
    case 'skipped':
    case 'done':
      return undefined
  }
}

/** Whether a task still waits for another, and why it never can begin as those others stand. */
function edgesOf(planned: PlannedTask, { tasks }: ScheduleFacts): { blockedBy?: string; isOpen: boolean } {
  const condition = conditionOf(planned)
  let isOpen = false
  for (const id of waitsFor(planned)) {
    const earlier = tasks.get(id)
    const mustFail = condition?.task === id && condition.end === 'failed'
    switch (earlier?.state) {
      case 'done':
        if (mustFail) return { blockedBy: `${id} did not fail`, isOpen }
        break
      case 'failed':
        if (!mustFail) return { blockedBy: `${id} failed: ${earlier.context.reason ?? ''}`, isOpen }
        break
      case 'skipped':
      case 'blocked':
        return { blockedBy: `${id} was left out`, isOpen }
      default:
        isOpen = true
    }
  }
  return { isOpen }
}

/** What a gate's answer, or silence, leads to. */
function answered(
  { id, gate }: PlannedTask,
  { context }: TaskStanding,
  { answers }: ScheduleFacts,
  when: Moment,
): TaskEvent | undefined {
  const given = answers.get(id)
  // one that was given before a person asked again is another's
  const answer = given !== undefined && msBetween(context.since, given.at) >= 0 ? given : undefined
  if (answer !== undefined)
    return answer.isYes
      ? { type: 'allow', ...when }
      : { type: 'skip', ...when, reason: `${answer.by} said no` }
  const within = gate === undefined ? undefined : readDuration(gate.within)
  if (gate === undefined || within === undefined || msBetween(context.since, when.at) < within)
    return undefined
  return gate.otherwise === 'go'
    ? { type: 'allow', ...when }
    : { type: 'skip', ...when, reason: `nobody answered within ${gate.within}` }
}

/** What a team's work leads to; what its team did in an attempt before counts for nothing. */
function worked(
  { state, context }: TaskStanding,
  team: TeamFacts | undefined,
  when: Moment,
): TaskEvent | undefined {
  if (team === undefined || team.attempt !== context.attempt) return undefined
  if (state === 'proving') {
    // as when changes are asked for, or what was complete turned out not to be
    if (team.phase !== 'complete') return { type: 'reopen', ...when }
    return team.proof === null ? undefined : { type: 'prove', ...when, proof: team.proof }
  }
  if (team.phase === 'failed') {
    const type = context.attempt < context.attempts ? 'tryAgain' : 'fail'
    return { type, ...when, reason: team.reason ?? 'its team failed' }
  }
  return team.phase === 'complete' ? { type: 'finish', ...when } : undefined
}
