import { dispatch } from '../../agents/dispatch/dispatch.ts'
import { delay, takeLease } from '../../agents/dispatch/lease.ts'
import { goalCosts } from '../../agents/usage/goal-costs.ts'
import { usualSlots } from '../../agents/dispatch/slots.ts'
import type { LaunchChoice } from '../../agents/sessions/launch-plan.ts'
import { InterruptedError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import { COORDINATOR } from '../../engine/step/task-of-team.ts'
import { goalStatus, type GoalStatus } from '../../federation/goal/goal-status.ts'
import type { Team } from '../../federation/team.ts'
import { readSite } from '../../records/sites/site-record.ts'
import { goalSignalId } from '../../protocol/goal-names.ts'
import type { CommonOptions } from './declare-command.ts'
import { openGoalView, type GoalView } from './goal-view.ts'
import { note } from './output.ts'

export interface SeeingThrough extends CommonOptions {
  readonly federation: Federation
  readonly coordinator: Team
  readonly choice: LaunchChoice
  /** How many agents may run at once; without it as many as the machine bears. */
  readonly parallel: number | undefined
  readonly signal: AbortSignal
  /** Whether the plan may be carried out; asked once it is there. */
  readonly approve: (status: GoalStatus) => Promise<boolean>
}

/** A viewer looks again after so long, in milliseconds. */
const lookMs = 500

/**
 * Sees a goal through: dispatches its teams, or looks on while another process does, until it is reached, has failed, or
 * only a person can go on with it.
 * @returns where it stands then.
 * @throws {InterruptedError}
 */
export async function seeGoalThrough(seen: SeeingThrough): Promise<GoalStatus> {
  const { federation, coordinator, signal } = seen
  const view = openGoalView(seen)
  const slots = seen.parallel ?? usualSlots()
  /** Why launches ended that left something to do, by their teams. */
  const stopped = new Map<string, string>()
  const look = async (): Promise<GoalStatus> => {
    const status = await goalStatus(federation, coordinator)
    const needs = [...status.needs, ...[...stopped].map(([team, why]) => `${team}: ${why}`)]
    const shown = { ...status, needs }
    // whether the plan may be carried out is asked here, and needs no line
    const isAsked = status.state === 'awaiting-approval'
    view.show(isAsked ? { ...shown, needs: [] } : shown, goalCosts(federation, coordinator))
    return shown
  }
  let isTold = false
  try {
    for (;;) {
      const release = takeLease(federation.root)
      if (release === undefined) {
        if (!isTold) note(seen, 'another process dispatches the teams of this federation; this one looks on')
        isTold = true
        const status = await look()
        if (isEnded(status)) return status
        if (status.state === 'awaiting-approval' && !(await approved(seen, status))) return status
        await delay(lookMs, signal)
      } else {
        try {
          await dispatchTeams(seen, slots, { view, stopped, look })
        } finally {
          release()
        }
      }
      if (signal.aborted)
        throw new InterruptedError(`interrupted; the same command goes on with the goal of ${coordinator.id}`)
      if (release === undefined) continue
      const status = await look()
      if (status.state !== 'awaiting-approval') return status
      view.end()
      if (!(await approved(seen, status))) return status
    }
  } finally {
    view.end()
  }
}

/** Dispatches the teams of all goals until this one has ended, waits for approval, or does not move any more. */
async function dispatchTeams(
  { federation, choice, signal }: SeeingThrough,
  slots: number,
  shown: {
    readonly view: GoalView
    readonly stopped: Map<string, string>
    readonly look: () => Promise<GoalStatus>
  },
): Promise<void> {
  const { view, stopped, look } = shown
  let before = ''
  await dispatch(federation, {
    isMeant: ({ archetypeId, coordinator: of }) => archetypeId === COORDINATOR || of !== undefined,
    slots,
    choice,
    signal,
    onTeam(team, happened) {
      view.tell(team, happened)
      if (happened.kind === 'stopped') stopped.set(team.id, happened.error.message)
      else if (happened.kind === 'progress' && happened.progress.kind === 'session') stopped.delete(team.id)
    },
    async isOver(underWay) {
      const status = await look()
      if (isEnded(status)) return true
      if (underWay > 0) return false
      if (status.state === 'awaiting-approval') return true
      // it goes on at another site, or waits for one
      if (isElsewhere(federation, status)) return false
      const stands = JSON.stringify(status)
      const isQuiet = stands === before
      before = stands
      // somebody at a terminal may do elsewhere what is asked for
      return isQuiet && (stopped.size > 0 || !process.stderr.isTTY)
    },
  })
}

/** Whether a task that runs is another site's, or no site's yet. */
function isElsewhere({ root, registry }: Federation, { tasks }: GoalStatus): boolean {
  if (readSite(root) === undefined) return false
  const here = new Set(registry.read().teams.map(({ domainId }) => domainId))
  return tasks.some(({ state, team }) => state === 'running' && !here.has(team))
}

function isEnded({ finished, state }: GoalStatus): boolean {
  return finished || state === 'paused'
}

async function approved({ coordinator, approve }: SeeingThrough, status: GoalStatus): Promise<boolean> {
  if (!(await approve(status))) return false
  const { version } = coordinator.actor.lifecycle.read() ?? { version: 0 }
  await coordinator.direct('approve-plan', '', goalSignalId(coordinator.id, version, 'approve'))
  return true
}
