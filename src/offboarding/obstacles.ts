import { existsSync } from 'node:fs'
import path from 'node:path'
import { GitError, RefusedError } from '../errors.ts'
import { git } from '../git.ts'
import { isWorkTree, type KnownWorktree } from '../codebase/worktree.ts'
import { uncommittedWork } from '../codebase/uncommitted-work.ts'

/**
 * Makes sure that a worktree can be removed and everything in it kept.
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
  const [nested] = git(workspace, 'ls-files', '--others', '--exclude-standard', '-z')
    .split('\0')
    .filter((name) => name.endsWith('/'))
  if (nested !== undefined) {
    throw refuse(
      `${nested} in it is a repository of its own, whose commits would be lost`,
      `move it out of ${workspace}`,
    )
  }
  const submodule = submodulesIn(workspace).find(holdsWork)
  if (submodule !== undefined) {
    throw refuse(
      `submodule ${submodule} holds changes or commits that its remote does not have`,
      'push them, or move them elsewhere',
    )
  }
  try {
    uncommittedWork(workspace)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    throw new RefusedError(
      `the worktree of ${domain} stays, because what is uncommitted in it cannot be kept: ${error.words.replace(/\s*\n\s*/g, '; ')}`,
      { cause: error },
    )
  }
}

/** Folders of the submodules that are checked out. */
function submodulesIn(workspace: string): string[] {
  return git(workspace, 'ls-files', '--stage', '-z')
    .split('\0')
    .filter((line) => line.startsWith('160000 '))
    .map((line) => path.join(workspace, line.slice(line.indexOf('\t') + 1)))
    .filter((dir) => existsSync(path.join(dir, '.git')))
}

/** What only this clone of a repository has: its branches, and what was stashed (a plain name would mean a folder). */
const own = ['--branches', '--glob=refs/stas[h]']

/** A submodule of a worktree has its repository among what git knows of the worktree, and goes with it. */
function holdsWork(submodule: string): boolean {
  return (
    git(submodule, 'status', '--porcelain') !== '' ||
    git(submodule, 'rev-list', '--count', 'HEAD', ...own, '--not', '--remotes') !== '0' ||
    submodulesIn(submodule).some(holdsWork)
  )
}
