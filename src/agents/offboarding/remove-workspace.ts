import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { git, gitOrNothing } from '../../platform/git/git.ts'
import { disk, makeDirectory } from '../../platform/storage/disk.ts'
import { remove } from '../../platform/storage/without-links.ts'
import { hasCode } from '../../platform/storage/system-error.ts'
import {
  branchOf,
  isWorkTree,
  knownWorktrees,
  worktreeAt,
  type KnownWorktree,
} from '../../platform/git/worktree.ts'
import { deleteBranch, rescueCommits, rescueWorktree } from '../../platform/git/rescue.ts'
import { obstacleIn } from '../../platform/git/obstacle.ts'
import { RefusedError } from '../../errors/fed-error.ts'

/** Moves a workspace without a branch into the archive as it is, by one rename. */
export function takeApartDirectory(workspace: string, archive: string): void {
  putAway(workspace, archive)
}

/** What is put away of a worktree besides its code, and where. */
interface Kept {
  /** Folder into which it is moved. */
  readonly archive: string
  /** File name of the deliverable. */
  readonly deliverable: string
}

/**
 * Puts away what the team left in a worktree, rescues the work that is on no branch, removes the worktree and
 * its branch. Each part can be done again, so that another call finishes what a killed process left.
 * @param domain the team's id.
 */
export function takeApartWorktree(root: string, domain: string, workspace: string, kept: Kept): void {
  const removed = path.join(path.dirname(workspace), `.${domain}.removed`)
  try {
    if (disk.exists(workspace)) clear(root, domain, workspace, { ...kept, removed })
  } catch (error) {
    // another process that offboards the team took it away, after everything was kept
    if (disk.exists(workspace)) throw error
  }
  remove(removed)
  const known = worktreeAt(root, workspace)
  if (known !== undefined) {
    // of a folder that somebody removed by hand, with commits on no branch, nothing else knows
    if (known.head !== undefined) rescueCommits(root, domain, known.head)
    const isDone = gitOrNothing(root, 'worktree', 'remove', '--force', '--force', workspace) !== undefined
    if (!isDone && worktreeAt(root, workspace) !== undefined)
      git(root, 'worktree', 'remove', '--force', '--force', workspace)
  }
  const isUsed = knownWorktrees(root).some(({ branch }) => branch === branchOf(domain))
  if (!isUsed) deleteBranch(root, domain)
}

/** Keeps everything that is in a worktree, and only then takes its folder away. */
function clear(
  root: string,
  domain: string,
  workspace: string,
  { archive, deliverable, removed }: Kept & { readonly removed: string },
): void {
  const known = worktreeAt(root, workspace)
  // whoever goes on after a kill may find more in it than there was
  if (known !== undefined) assertRemovable(root, domain, workspace, known)
  // git does not know it any more, or is not known in it: then it is a folder like any other
  if (known === undefined || !isWorkTree(root, workspace)) return takeApartDirectory(workspace, archive)
  if (isUntracked(workspace, deliverable))
    putAway(path.join(workspace, deliverable), path.join(archive, deliverable))
  putAway(path.join(workspace, '.fed'), path.join(archive, '.fed'))
  rescueWorktree(root, domain, workspace)
  remove(removed)
  // its name is gone at once: a worktree that a killed process half removed would look changed
  rename(workspace, removed)
}

function isUntracked(workspace: string, file: string): boolean {
  return (
    disk.exists(path.join(workspace, file)) &&
    gitOrNothing(workspace, 'ls-files', '--error-unmatch', '--', file) === undefined
  )
}

/** Moves a file or folder, if it is there; where `to` is taken by an earlier move, under a name beside it. */
function putAway(from: string, to: string): void {
  if (!disk.exists(from)) return
  const target = disk.exists(to) ? path.join(path.dirname(to), `${path.basename(to)}.${uuid()}.late`) : to
  makeDirectory(path.dirname(target))
  rename(from, target)
  for (const dir of [path.dirname(target), path.dirname(from)]) disk.syncDirectory(dir)
}

/** Renames; does nothing when another process has moved `from` away already. */
function rename(from: string, to: string): void {
  try {
    disk.rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || disk.exists(from)) throw error
  }
}

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
