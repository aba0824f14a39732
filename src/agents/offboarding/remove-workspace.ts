import { rmSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { git, gitOrNothing } from '../../platform/git/git.ts'
import { disk, makeDirectory } from '../../platform/storage/disk.ts'
import { hasCode } from '../../platform/storage/system-error.ts'
import { branchOf, isWorkTree, knownWorktrees, worktreeAt } from '../../platform/git/worktree.ts'
import { assertRemovable } from './obstacles.ts'
import { deleteBranch, rescueCommits, rescueWorktree } from '../../platform/git/rescue.ts'

/** A workspace without a branch goes into the archive as it is, by one rename. */
export function takeApartDirectory(workspace: string, archive: string): void {
  putAway(workspace, archive)
}

/** Of what a worktree holds beside the code. */
interface Kept {
  /** Folder to which it goes. */
  readonly archive: string
  /** File name of the deliverable. */
  readonly deliverable: string
}

/**
 * Puts away what the team left in a worktree, rescues the work of which no branch knows, removes the worktree and
 * its branch. Each part can be done again, and finds what a killed process left.
 * @param domain the team's id.
 */
export function takeApartWorktree(root: string, domain: string, workspace: string, kept: Kept): void {
  const removed = path.join(path.dirname(workspace), `.${domain}.removed`)
  try {
    if (disk.exists(workspace)) clear(root, domain, workspace, { ...kept, removed })
  } catch (error) {
    // somebody who does the same took it away, after everything was kept
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

/** Keeps everything that is in a worktree, and only then takes its folder away; `domain` is the team's id. */
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

/** Others may be removing the same. */
function remove(dir: string): void {
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

function isUntracked(workspace: string, file: string): boolean {
  return (
    disk.exists(path.join(workspace, file)) &&
    gitOrNothing(workspace, 'ls-files', '--error-unmatch', '--', file) === undefined
  )
}

/** Moves what is there; what a process wrote late, after the rest had gone, comes beside it. */
function putAway(from: string, to: string): void {
  if (!disk.exists(from)) return
  const target = disk.exists(to) ? path.join(path.dirname(to), `${path.basename(to)}.${uuid()}.late`) : to
  makeDirectory(path.dirname(target))
  rename(from, target)
  for (const dir of [path.dirname(target), path.dirname(from)]) disk.syncDirectory(dir)
}

/** Somebody who does the same may have been first. */
function rename(from: string, to: string): void {
  try {
    disk.rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || disk.exists(from)) throw error
  }
}
