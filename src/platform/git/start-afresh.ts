import { git, gitOrNothing } from './git.ts'
import { RefusedError } from '../../errors/fed-error.ts'
import { obstacleIn } from './obstacle.ts'
import { rescueCommits, rescuedOf, rescueWorktree, type Rescued } from './rescue.ts'
import { branchIn } from './worktree.ts'
import { uncommittedWork } from './uncommitted-work.ts'
import { branchOf, tipOf } from './worktree.ts'

/** Operations that a worktree can be in the middle of, and that would go on with what is taken away. */
const unfinished = ['rebase', 'merge', 'cherry-pick', 'revert', 'am']

/**
 * Makes a worktree begin at a commit: on its team's branch, with nothing in it but that commit and what git ignores.
 * What branch and worktree held is kept under `refs/fed/rescue/<team>/` first, unless another branch has it. Again it
 * changes nothing.
 * @returns what was kept.
 * @throws {RefusedError} where something in it could not be kept; nothing was changed then.
 */
export function startAfresh(root: string, team: string, workspace: string, commit: string): Rescued[] {
  const branch = branchOf(team)
  const tip = tipOf(root, branch)
  const isThere = tip === commit && branchIn(workspace) === branch
  if (isThere && uncommittedWork(workspace) === undefined) return []
  const obstacle = obstacleIn(workspace)
  if (obstacle !== undefined) {
    throw new RefusedError(
      `${team} cannot begin its mission in ${workspace}: ${obstacle.what}; ${obstacle.advice}`,
    )
  }
  const before = new Set(rescuedOf(root, team).map(({ ref }) => ref))
  rescueWorktree(root, team, workspace, commit)
  if (tip !== undefined) rescueCommits(root, team, tip)
  for (const operation of unfinished) gitOrNothing(workspace, operation, '--quit')
  // the branch moves last: until then a process that comes after a kill begins again
  git(workspace, 'clean', '--force', '-d', '--quiet')
  git(workspace, 'checkout', '--quiet', '--force', '-B', branch, commit)
  return rescuedOf(root, team).filter(({ ref }) => !before.has(ref))
}
