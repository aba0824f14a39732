import { obstacleIn } from '../../platform/git/obstacle.ts'
import { isWorkTree, type KnownWorktree } from '../../platform/git/worktree.ts'
import { RefusedError } from '../../errors/fed-error.ts'

/**
 * Makes sure that a worktree can be removed and everything in it kept.
 * @param domain the team's id.
 * @throws {RefusedError} naming what is in the way; nothing was changed.
 */
export function assertRemovable(
  root: string,
  domain: string,
  workspace: string,
  { lock }: KnownWorktree,
): void {
  const refuse = (what: string, advice: string) =>
    new RefusedError(`the worktree of ${domain} stays: ${what}; ${advice}`)
  if (lock !== undefined) {
    throw refuse(
      `it is locked${lock === '' ? '' : ` (${lock})`}`,
      `'git worktree unlock ${workspace}' unlocks it`,
    )
  }
  // git does not answer for it, so that nothing of it can be told apart: it is kept as a whole
  if (!isWorkTree(root, workspace)) return
  const obstacle = obstacleIn(workspace)
  if (obstacle !== undefined) throw refuse(obstacle.what, obstacle.advice)
}
