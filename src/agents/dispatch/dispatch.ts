import { ofTask } from '../../../machines/coordinator.ts'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import type { Federation } from '../../federation/federation.ts'
import { coordinate } from '../../federation/goal/coordinate.ts'
import { COORDINATOR, taskOfTeam } from '../../engine/step/task-of-team.ts'
import { allEntries } from '../../engine/step/world.ts'
import { missionIdOf } from '../../protocol/goal-names.ts'
import type { Team } from '../../federation/team.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { changeQueue } from '../sessions/folder-changes.ts'
import { launch } from '../sessions/launch-team.ts'
import { isDriven } from '../sessions/launchable.ts'
import { plannedFor, planLaunch, type LaunchChoice } from '../sessions/launch-plan.ts'
import type { Progress } from '../sessions/supervise.ts'
import { Slots } from './slots.ts'
import { wantsAgent } from './wants-agent.ts'

/** What happened to a team's launch; `ended` and `stopped` are its last words. */
export type Dispatched =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'ended'; readonly status: TeamStatus }
  | { readonly kind: 'stopped'; readonly error: FedError }

export interface Dispatch {
  /** Which teams are meant. */
  readonly isMeant: (entry: RegistryEntry) => boolean
  /** How many agents may run at once, at least 1. */
  readonly slots: number
  readonly choice: LaunchChoice
  /** Ends all sessions, and the dispatch. */
  readonly signal: AbortSignal
  readonly onTeam?: (team: Team, happened: Dispatched) => void
  /** Asked after each look, of how many launches are under way; true ends the dispatch. */
  readonly isOver: (underWay: number) => boolean | Promise<boolean>
}

/** What changes without a signal, such as a gate's time, is looked at after so long, in milliseconds. */
const lookMs = 1000

/**
 * Starts agents for whatever gives a team work, and moves goals on, until it is over. A slot is held by each agent that
 * runs, and by nobody who waits. Whoever does it after a kill goes on where the files stand.
 */
export async function dispatch(federation: Federation, options: Dispatch): Promise<void> {
  const slots = new Slots(options.slots)
  const inner = new AbortController()
  const stop = () => inner.abort()
  options.signal.addEventListener('abort', stop)
  const underWay = new Map<string, Promise<unknown>>()
  /** Where teams stood whose launch ended and left something to do: they wait until that changes. */
  const left = new Map<string, string>()
  /** What was said last of goals that do not move on. */
  const told = new Map<string, string>()
  const queues = new Map<string, ReturnType<typeof changeQueue>>()
  let wake = () => {}
  let fault: { readonly error: unknown } | undefined
  const begin = (team: Team) => {
    const mission = missionOf(team)
    const end: Promise<unknown> = drive(team, options, slots, inner.signal)
      .then(() => {
        // what it was launched for is over where another mission was given meanwhile
        if (missionOf(team) === mission) left.set(team.id, standOf(team))
        return undefined
      })
      .catch((error: unknown) => (fault ??= { error }))
      .finally(() => {
        underWay.delete(team.id)
        wake()
      })
    underWay.set(team.id, end)
  }
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const meant = () =>
        federation.registry.read().teams.filter((one) => options.isMeant(one) && one.status !== 'archived')
      // goals first: what follows from their members makes the others' work
      for (const entry of meant()) {
        const team = entry.archetypeId === COORDINATOR ? await opened(federation, entry) : undefined
        if (team === undefined || inner.signal.aborted) continue
        if (!queues.has(team.id)) queues.set(team.id, changeQueue(team.mailbox.inbox))
        await moveOn(federation, team, told, options)
      }
      for (const entry of inOrder(meant())) {
        const team = inner.signal.aborted ? undefined : await opened(federation, entry)
        if (team === undefined || underWay.has(team.id) || left.get(team.id) === standOf(team)) continue
        if (!isWantedByGoal(federation, entry, team)) continue
        if ((await wantsAgent(team, options.choice.limits.idleMs !== undefined)) && !(await isDriven(team)))
          begin(team)
      }
      if (fault !== undefined) throw fault.error
      if (inner.signal.aborted || (await options.isOver(underWay.size))) break
      const timer = new Timer(lookMs)
      await Promise.race([woken, timer.rung, ...[...queues.values()].map((queue) => queue.next())])
      timer.end()
      // signals and timers have their turn, whatever else wakes it
      await new Promise(setImmediate)
    }
  } finally {
    inner.abort()
    await Promise.all(underWay.values())
    for (const queue of queues.values()) queue.end()
    options.signal.removeEventListener('abort', stop)
  }
}

/** Coordinators first: what follows from their members makes the others' work. */
function inOrder(entries: readonly RegistryEntry[]): RegistryEntry[] {
  const rank = ({ archetypeId }: RegistryEntry) => Number(archetypeId !== COORDINATOR)
  return entries.toSorted((one, other) => rank(one) - rank(other))
}

async function opened(federation: Federation, entry: RegistryEntry): Promise<Team | undefined> {
  try {
    return await federation.openEntry(entry)
  } catch (error) {
    // the doctor tells what is wrong with it
    if (error instanceof FedError) return undefined
    throw error
  }
}

async function moveOn(
  federation: Federation,
  team: Team,
  told: Map<string, string>,
  { onTeam }: Dispatch,
): Promise<void> {
  try {
    await coordinate(federation, team)
    told.delete(team.id)
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    if (told.get(team.id) !== error.message) onTeam?.(team, { kind: 'stopped', error })
    told.set(team.id, error.message)
  }
}

/**
 * Whether the goal of a team wants its work now: its task runs, and has the mission of this attempt. A consultant
 * answers as long as its goal is under way.
 */
function isWantedByGoal(federation: Federation, entry: RegistryEntry, team: Team): boolean {
  if (entry.coordinator === undefined) return true
  const task = taskOfTeam(federation, entry)
  const goal = task && allEntries(federation).find(({ domainId }) => domainId === task.coordinator)
  if (task === undefined || goal?.status === 'paused') return false
  const standing = ofTask(task.context.tasks, task.task.id)
  if (entry.archetypeId === 'consultant') return standing !== undefined && task.context.failure === null
  const mission = missionIdOf(
    task.context.mission?.signal ?? '',
    task.task.id,
    standing?.context.attempt ?? 0,
  )
  const has = unless(FedError, () => team.present().context.mission?.signal)
  return standing?.state === 'running' && has === mission
}

/** Number of a team's mission; undefined where it cannot be read. */
function missionOf(team: Team): number | undefined {
  return unless(FedError, () => team.present().missionNumber)
}

/** What a launch that ended would see again: it begins anew when this is another. */
function standOf(team: Team): string {
  const version = unless(FedError, () => team.actor.lifecycle.read()?.version) ?? 0
  return `${version} ${team.mailbox.unacknowledgedFiles().length}`
}

async function drive(
  team: Team,
  { choice, onTeam }: Dispatch,
  slots: Slots,
  signal: AbortSignal,
): Promise<void> {
  const mission = missionOf(team)
  try {
    const status = await launch(team, () => planLaunch(plannedFor(team), choice), {
      signal,
      onProgress: (progress) => onTeam?.(team, { kind: 'progress', progress }),
      takeSlot: (onWait) => slots.take(team.archetype.id === COORDINATOR, signal, onWait),
    })
    onTeam?.(team, { kind: 'ended', status })
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    // another attempt at its task began, and is launched next
    if (missionOf(team) === mission) onTeam?.(team, { kind: 'stopped', error })
  }
}

/** Rings once, unless it is ended before. */
class Timer {
  readonly rung: Promise<void>
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number) {
    this.rung = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, milliseconds)
    })
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}
