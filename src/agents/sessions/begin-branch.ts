import path from 'node:path'
import type { CodingContext } from '../../../machines/coding.ts'
import { targetOf } from '../../engine/step/mission-target.ts'
import type { Actor } from '../../engine/step/world.ts'
import { firstLeaf } from '../../engine/decide/snapshot.ts'
import type { Rescued } from '../../platform/git/rescue.ts'
import { startAfresh } from '../../platform/git/start-afresh.ts'
import { branchOf, isWorkTree, tipOf } from '../../platform/git/worktree.ts'
import { RefusedError } from '../../errors/fed-error.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { createOnce, disk } from '../../platform/storage/disk.ts'
import type { Team } from '../../federation/team.ts'
import type { SessionRecord } from './session-record.ts'

/** How a team's branch began its mission. */
export interface BegunBranch {
  readonly branch: string
  /** The branch at whose last commit it began. */
  readonly target: string
  readonly commit: string
  /** What branch and worktree held that no other branch has. */
  readonly rescued: readonly Rescued[]
}

/**
 * Makes the branch of a team with a worktree begin a mission at the target's present commit, once a mission: by its
 * first session, before the agent goes on, so that no other process is at work there. A branch on which the mission
 * has got on already, by hand, stays as it is.
 * @returns undefined where there was nothing to begin.
 * @throws {RefusedError} where the target is gone, or something in the worktree could not be kept.
 */
export function beginBranch(team: Team, { mission }: SessionRecord): BegunBranch | undefined {
  const { actor } = team
  const { root, registry } = actor.world
  if (registry.entry(team.id).placementType !== 'worktree' || !isWorkTree(root, actor.workspace))
    return undefined
  const beginning = beginningOf(actor, mission)
  if (beginning === undefined) return undefined
  const { sessions } = workspaceLayout(actor.workspace)
  const mark = path.join(sessions, `${mission}-begun-${beginning}.json`)
  if (disk.exists(mark)) return undefined
  const { state, context } = team.present()
  const { base } = context as Partial<CodingContext>
  const branch = branchOf(team.id)
  const hasGotOn = base != null && tipOf(root, branch) !== base.tip
  const isFirst = state === firstLeaf(actor.logic)
  const begun = hasGotOn || !isFirst ? undefined : begin(team, base?.target ?? targetOf(actor))
  createOnce(mark, `${JSON.stringify(begun ?? { branch })}\n`)
  return begun
}

/**
 * Id of the commit with which a mission began: whoever worked before it cannot know it. Undefined once the mission is
 * over.
 */
export function beginningOf({ lifecycle }: Actor, mission: number): string | undefined {
  for (const version of lifecycle.versions()) {
    const content = lifecycle.version(version)
    if (content?.mission === mission) return content.commit.id
  }
  return undefined
}

function begin({ id, actor }: Team, target: string | undefined): BegunBranch | undefined {
  const { workspace, world } = actor
  // one that only reads works at any commit
  if (target === undefined) return undefined
  const commit = tipOf(world.root, target)
  if (commit === undefined) {
    throw new RefusedError(
      `${id} cannot begin its mission: git knows no branch ${target}, into which its work is to be merged; ` +
        `make it again, or 'fed run --reset --into <branch> …' names another`,
    )
  }
  const rescued = startAfresh(world.root, id, workspace, commit)
  return { branch: branchOf(id), target, commit, rescued }
}
