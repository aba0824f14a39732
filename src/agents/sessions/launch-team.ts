import { isSystemTrouble } from '../../engine/step/unfinished.ts'
import { UnfinishedError } from '../../errors/fed-error.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { Team } from '../../federation/team.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import { leaveTeam } from './only-session.ts'
import { LaunchActions } from './launch-actions.ts'
import { assertNotArchived, assertStartable, assertWorkable } from './launchable.ts'
import { beforeLaunch, nextAction } from './next-action.ts'
import type { LaunchPlan } from './launch-plan.ts'
import type { Supervision } from './supervise.ts'

/**
 * Drives a team's agent until its machine is final: starts it, drains the mailbox while it works, stops it
 * when the machine ends or pauses, and starts it again when it ends unfinished.
 * @param makePlan is asked once, when there is a mission to work on.
 * @returns where the team stands at the end: final, paused meanwhile, or waiting for somebody else.
 * @throws {RefusedError} when the team is paused, archived or without a mission, when a session already runs,
 * or when the agent says that it cannot do the mission; as `makePlan` does; {TimedOutError}; {InterruptedError};
 * {UnfinishedError} when the disk fails: it says where the team is by then.
 */
export async function launch(
  team: Team,
  makePlan: () => LaunchPlan | Promise<LaunchPlan>,
  supervision: Supervision,
): Promise<TeamStatus> {
  try {
    await drive(team, makePlan, supervision)
    return await team.status()
  } catch (error) {
    if (!isSystemTrouble(error) || error instanceof UnfinishedError) throw error
    throw new UnfinishedError(
      `${team.id} is ${team.present().state}`,
      `'fed launch --team ${team.id}' goes on with it`,
      error,
    )
  } finally {
    leaveTeam(workspaceLayout(team.actor.workspace).sessions)
  }
}

/** Most sessions in a row that may end because the provider failed. */
const maxFailures = 20

async function drive(
  team: Team,
  makePlan: () => LaunchPlan | Promise<LaunchPlan>,
  supervision: Supervision,
): Promise<void> {
  assertNotArchived(team)
  // what waited for it may end its mission, such as a merge: that is the end of a launch, and no refusal
  if (!team.present().finished && (await team.stepped()).finished) return
  await assertWorkable(team)
  const plan = await makePlan()
  await assertStartable(team)
  const { maxSessions, idleMs } = plan.limits
  const terms = {
    maxSessions,
    maxFailures,
    hasPrompt: plan.prompt !== undefined,
    idles: idleMs !== undefined,
  }
  const actions = new LaunchActions(team, plan, supervision)
  let { state, action } = nextAction(terms, beforeLaunch, await actions.open())
  for (;;) {
    const seen = await actions.take(action)
    if (seen === undefined) return
    ;({ state, action } = nextAction(terms, state, seen))
  }
}
