import { endedTasks, isUnsettled, type CoordinatorContext, ofTask } from '../../../machines/coordinator.ts'
import type { TaskState } from '../../../machines/task-standing.ts'
import { adoptedPlan } from '../../engine/step/task-of-team.ts'
import { lostInputs } from '../../engine/step/goal-evidence.ts'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { branchOf } from '../../platform/git/worktree.ts'
import { memberOf } from '../../protocol/goal-names.ts'
import { waitsFor, type PlannedTask } from '../../protocol/plan-schema.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { allEntries } from '../../engine/step/world.ts'
import { readKnown } from '../../records/sites/known-teams.ts'
import { readSite } from '../../records/sites/site-record.ts'
import { siteOf } from '../site-of-team.ts'
import type { Federation } from '../federation.ts'
import { textOf } from '../mission.ts'
import type { Team } from '../team.ts'

/** A task of a goal, as it stands. */
export interface TaskRow {
  readonly task: string
  readonly team: string
  readonly archetype: string
  /** The agent that works for it. */
  readonly agent: string
  readonly state: TaskState
  /** Whether it moves no more by itself. */
  readonly ended: boolean
  /** Leaf state of its team; null where there is none. */
  readonly teamState: string | null
  /** The other site at which its team lives; null for this one, and where there is none. */
  readonly site: string | null
  /** When the task came into its state, ISO 8601. */
  readonly since: string
  readonly attempt: number
  /** For what it waits, in words; empty where it does not. */
  readonly waitsFor: string
  /** Why it failed last, or was left out. */
  readonly reason: string | null
  readonly proof: string | null
}

/** A goal, as it stands. */
export interface GoalStatus {
  readonly coordinator: string
  readonly goal: string
  readonly state: string
  readonly finished: boolean
  readonly tasks: readonly TaskRow[]
  /** What only a person can do, a line each. */
  readonly needs: readonly string[]
}

/** Where a goal stands, as the files of its teams say. */
export async function goalStatus(federation: Federation, coordinator: Team): Promise<GoalStatus> {
  const { state, finished, context: facts } = coordinator.present()
  const context = facts as CoordinatorContext
  const entries = new Map(allEntries(federation).map((entry) => [entry.domainId, entry]))
  const isLinked = readSite(federation.root) !== undefined
  const own = entries.get(coordinator.id)
  const rows: TaskRow[] = []
  const needs: string[] = []
  for (const task of adoptedPlan(context)?.tasks ?? []) {
    const standing = ofTask(context.tasks, task.id)
    const team = memberOf(coordinator.id, task.id)
    const entry = entries.get(team)
    const site = siteOf(federation.root, team) ?? null
    const present = entry === undefined || site !== null ? undefined : await presentOf(federation, entry)
    const teamState = present?.state ?? (site === null ? undefined : stateElsewhere(federation.root, team))
    const row: TaskRow = {
      task: task.id,
      team,
      archetype: task.archetype,
      agent: entry?.agent ?? task.agent ?? own?.agent ?? federation.config.agentCommand,
      state: standing?.state ?? 'waiting',
      ended: standing !== undefined && endedTasks.has(standing.state),
      teamState: teamState ?? null,
      site,
      since: standing?.context.since ?? '',
      attempt: standing?.context.attempt ?? 0,
      waitsFor:
        standing === undefined ? 'the plan' : waitingFor(task, standing.state, context, teamState, isLinked),
      reason: standing?.context.reason ?? null,
      proof: standing?.context.proof ?? null,
    }
    rows.push(row)
    const answer = ofTask(context.answers, task.id)
    const isAnswered = answer !== undefined && answer.at >= row.since
    if (!isAnswered) needs.push(...needsOf(coordinator.id, task, row, present))
  }
  if (!finished) needs.push(...ownNeeds(coordinator, context))
  return {
    coordinator: coordinator.id,
    goal: context.mission === null ? '' : textOf(context.mission),
    state,
    finished,
    tasks: rows,
    needs,
  }
}

function stateElsewhere(root: string, team: string): string | undefined {
  return readKnown(root).teams[team]?.state
}

type Present = ReturnType<Team['present']> & { readonly reason: string | undefined }

async function presentOf(federation: Federation, entry: RegistryEntry): Promise<Present | undefined> {
  const team = await federation.openEntry(entry).catch(() => undefined)
  return unless(FedError, () => team && { ...team.present(), reason: team.reasonOfPause() })
}

function waitingFor(
  task: PlannedTask,
  state: TaskState,
  { tasks }: CoordinatorContext,
  teamState: string | undefined,
  isLinked: boolean,
): string {
  switch (state) {
    case 'waiting':
      return waitsFor(task)
        .filter((id) => !['done', 'failed'].includes(tasks[id]?.state ?? ''))
        .join(', ')
    case 'gated':
      return 'an answer'
    case 'ready':
      return 'its turn'
    case 'running':
      if (teamState === undefined && isLinked) return ['a site', ...(task.needs ?? [])].join(' with ')
      return teamState === 'pr-open' ? 'its merge' : ''
    default:
      return ''
  }
}

function needsOf(
  coordinator: string,
  { id, gate }: PlannedTask,
  { state, team, teamState }: TaskRow,
  present: Present | undefined,
): string[] {
  if (state === 'gated' && gate !== undefined)
    return [
      `${id}: ${gate.ask} 'fed answer ${id} yes' or 'no'; after ${gate.within} it is ${gate.otherwise === 'go' ? 'yes' : 'no'}`,
    ]
  if (state !== 'running') return []
  if (teamState === 'pr-open')
    return [
      `${id}: merge ${branchOf(team)}, then 'fed send ${team} --type directive --subject merged'; the proof is looked for`,
    ]
  if (present?.paused && present.context.pausedBy !== coordinator)
    return [
      `${id}: ${team} is paused${present.reason === undefined ? '' : ` (${present.reason})`}; 'fed resume ${team}'`,
    ]
  return []
}

function ownNeeds(coordinator: Team, context: CoordinatorContext): string[] {
  const { id } = coordinator
  const { state, paused } = coordinator.present()
  if (paused) return [`${id} is paused, and its teams with it; 'fed resume ${id}'`]
  if (state === 'awaiting-approval')
    return [
      `the plan of ${id} waits for your word: 'fed send ${id} --type directive --subject approve-plan', or changes-requested with what is to change`,
    ]
  if (state === 'gathering')
    return lostInputs(coordinator.actor, context).map(
      (lost) =>
        `${lost}; put it back: as it was proven it lies in the inputs of ${id}, or of those that came after it`,
    )
  const failed = Object.entries(context.tasks).filter(([task]) => isUnsettled(context, task))
  const areOver = Object.values(context.tasks).every(({ state: task }) => endedTasks.has(task))
  if (state !== 'coordinating' || failed.length === 0 || !areOver) return []
  return [
    ...failed.map(
      ([task, { context: of }]) => `${task} failed: ${of.reason ?? ''}; 'fed goal retry ${task}'`,
    ),
    `or 'fed goal settle': the result is made without ${failed.length === 1 ? 'it' : 'them'}`,
  ]
}
