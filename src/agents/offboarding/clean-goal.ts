import { FedError, RefusedError } from '../../errors/fed-error.ts'
import type { Federation } from '../../federation/federation.ts'
import { membersOf } from '../../federation/goal/members.ts'
import type { Team } from '../../federation/team.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { offboard } from './offboard-team.ts'

/** What became of the teams of a goal. */
export interface CleanedGoal {
  readonly goal: string
  readonly removed: readonly { readonly team: string; readonly what: string }[]
  /** Teams whose work is nowhere else yet, or that are at work. */
  readonly kept: readonly { readonly team: string; readonly why: string }[]
}

/**
 * Takes the teams of a goal that has ended out of the federation: what they left goes to `.fed/archive/`, worktrees and
 * branches that landed are removed. The coordinator stays, and the result with it. Nothing goes that has not landed.
 * @param isDry whether it is only told.
 * @throws {RefusedError} while the goal is under way.
 */
export async function cleanGoal(
  federation: Federation,
  coordinator: Team,
  isDry: boolean,
): Promise<CleanedGoal> {
  const { finished, state } = await coordinator.stepped()
  if (!finished)
    throw new RefusedError(`${coordinator.id} is ${state}: its teams are needed; 'fed goal stop' pauses them`)
  const removed: { team: string; what: string }[] = []
  const kept: { team: string; why: string }[] = []
  for (const entry of membersOf(federation, coordinator.id)) {
    const team = entry.domainId
    const why = await whyKept(federation, entry)
    if (why !== undefined) {
      kept.push({ team, why })
      continue
    }
    try {
      const what = isDry ? entry.location : (await putAway(federation, entry)).archive
      removed.push({ team, what })
    } catch (error) {
      if (!(error instanceof FedError)) throw error
      kept.push({ team, why: error.message })
    }
  }
  return { goal: coordinator.id, removed, kept }
}

/** Why a team may not go; undefined where it may. */
async function whyKept(federation: Federation, entry: RegistryEntry): Promise<string | undefined> {
  try {
    const { state, finished } = await (await federation.openEntry(entry)).stepped()
    if (entry.placementType === 'worktree' && state !== 'complete')
      return `it is ${state}, and its branch has not landed; 'fed archive' and 'fed offboard' put it away all the same`
    if (!finished && !['ready', 'paused'].includes(state) && entry.status !== 'archived')
      return `it is ${state}; 'fed archive ${entry.domainId}' puts it away`
    return undefined
  } catch (error) {
    if (error instanceof FedError) return error.message
    throw error
  }
}

async function putAway(federation: Federation, entry: RegistryEntry) {
  const team = await federation.openEntry(entry)
  if (!team.present().finished && entry.status !== 'archived') await team.archive()
  return offboard(federation, entry.domainId)
}
