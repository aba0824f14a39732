import { targetOf } from '../../engine/step/mission-target.ts'
import { isAncestor, mergeProof } from '../../platform/git/merge-proof.ts'
import { uncommittedFiles } from '../../platform/git/uncommitted-work.ts'
import { branchOf, isWorkTree, tipOf } from '../../platform/git/worktree.ts'
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
    const team = await federation.openEntry(entry)
    const { state, finished } = await team.stepped()
    if (entry.placementType === 'worktree' && state !== 'complete')
      return `it is ${state}, and its branch has not landed; 'fed archive' and 'fed offboard' put it away all the same`
    const unlanded = entry.placementType === 'worktree' ? unlandedOf(team) : undefined
    if (unlanded !== undefined) return unlanded
    if (!finished && !['ready', 'paused'].includes(state) && entry.status !== 'archived')
      return `it is ${state}; 'fed archive ${entry.domainId}' puts it away`
    return undefined
  } catch (error) {
    if (error instanceof FedError) return error.message
    throw error
  }
}

/** What of a team's worktree is nowhere else; undefined where all of it has landed. */
function unlandedOf({ id, actor }: Team): string | undefined {
  const { workspace, world } = actor
  const files = isWorkTree(world.root, workspace) ? uncommittedFiles(workspace) : []
  if (files.length > 0) return `its worktree holds what is not committed: ${files.slice(0, 3).join(', ')}`
  const target = targetOf(actor)
  const [work, into] = [tipOf(world.root, branchOf(id)), target && tipOf(world.root, target)]
  if (work === undefined || into === undefined) return undefined
  const isIn =
    isAncestor(world.root, work, into) ||
    mergeProof(world.root, { work, target: into, start: undefined }) !== null
  return isIn ? undefined : `${branchOf(id)} has commits that ${target} does not have`
}

async function putAway(federation: Federation, entry: RegistryEntry) {
  const team = await federation.openEntry(entry)
  if (!team.present().finished && entry.status !== 'archived') await team.archive()
  return offboard(federation, entry.domainId)
}
