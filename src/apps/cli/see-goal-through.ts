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
  const { federation, coordinator, choice, signal } = seen
  const view = openGoalView(seen)
  const slots = seen.parallel ?? usualSlots()
  let isTold = false
  try {
    for (;;) {
      const release = takeLease(federation.root)
      if (release === undefined) {
        if (!isTold) note(seen, 'another process dispatches the teams of this federation; this one looks on')
        isTold = true
        const status = await look(seen, view)
        if (isOver(status, true) || (status.state === 'awaiting-approval' && !(await approved(seen, status))))
          return status
        await delay(lookMs, signal)
        continue
      }
      try {
        await dispatch(federation, {
          isMeant: ({ archetypeId, coordinator: of }) => archetypeId === COORDINATOR || of !== undefined,
          slots,
          choice,
          signal,
          onTeam: (team, happened) => view.tell(team, happened),
          isOver: async (underWay) => {
            const status = await look(seen, view)
            if (status.state === 'awaiting-approval') return underWay === 0
            return isOver(status, underWay === 0)
          },
        })
      } finally {
        release()
      }
      if (signal.aborted)
        throw new InterruptedError(`interrupted; the same command goes on with the goal of ${coordinator.id}`)
      const status = await goalStatus(federation, coordinator)
      if (status.state !== 'awaiting-approval') return status
      view.end()
      if (!(await approved(seen, status))) return status
    }
  } finally {
    view.end()
  }
}

async function look({ federation, coordinator, signal }: SeeingThrough, view: GoalView): Promise<GoalStatus> {
  const status = await goalStatus(federation, coordinator)
  view.show(status, goalCosts(federation, coordinator))
  if (signal.aborted)
    throw new InterruptedError(`interrupted; the same command goes on with the goal of ${coordinator.id}`)
  return status
}

/** Whether nothing goes on without a person. */
function isOver({ finished, state, tasks, needs }: GoalStatus, isIdle: boolean): boolean {
  if (finished || state === 'paused') return true
  const moves = tasks.some((task) => ['ready', 'proving'].includes(task.state))
  return isIdle && needs.length > 0 && !moves
}

async function approved({ coordinator, approve }: SeeingThrough, status: GoalStatus): Promise<boolean> {
  if (!(await approve(status))) return false
  const { version } = coordinator.actor.lifecycle.read() ?? { version: 0 }
  await coordinator.direct('approve-plan', '', goalSignalId(coordinator.id, version, 'approve'))
  return true
}
