import { existsSync } from 'node:fs'
import path from 'node:path'
import { GitError } from '../../errors/git-errors.ts'
import { git } from './git.ts'
import { entries } from './own-index.ts'
import { submodulesOf, uncommittedIn } from './work-tree-status.ts'
import { uncommittedWork } from './uncommitted-work.ts'

/** What of a worktree could not be kept, in words. */
export interface Obstacle {
  readonly what: string
  readonly advice: string
}

/** What in a worktree would be lost with it, because it cannot be rescued; undefined where nothing would. */
export function obstacleIn(workspace: string): Obstacle | undefined {
  const others = entries(git(workspace, 'ls-files', '--others', '--exclude-standard', '-z'))
  const nested = others.find((name) => name.endsWith('/'))
  if (nested !== undefined) {
    return {
      what: `${nested} in it is a repository of its own, whose commits would be lost`,
      advice: `move it out of ${workspace}`,
    }
  }
  const submodule = submodulesIn(workspace).find(holdsWork)
  if (submodule !== undefined) {
    return {
      what: `submodule ${submodule} holds changes or commits that its remote does not have`,
      advice: 'push them, or move them elsewhere',
    }
  }
  try {
    uncommittedWork(workspace)
    return undefined
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return {
      what: `what is uncommitted in it cannot be kept: ${error.words.replace(/\s*\n\s*/g, '; ')}`,
      advice: 'mend that, or move it elsewhere',
    }
  }
}

/** Folders of the submodules that are checked out. */
function submodulesIn(workspace: string): string[] {
  return submodulesOf(git(workspace, 'ls-files', '--stage', '-z'))
    .map((name) => path.join(workspace, name))
    .filter((dir) => existsSync(path.join(dir, '.git')))
}

/**
 * Options of `rev-list` for what only this clone has: its branches and its stash. The brackets are needed:
 * git takes a name without a pattern for a folder of refs.
 */
const own = ['--branches', '--glob=refs/stas[h]']

/**
 * Whether a submodule, or one inside of it, holds uncommitted changes, or commits or stashes that no remote
 * has. They would be deleted with the worktree, whose folder in `.git/worktrees` holds the submodule's
 * repository.
 */
function holdsWork(submodule: string): boolean {
  return (
    uncommittedIn(submodule).length > 0 ||
    git(submodule, 'rev-list', '--count', 'HEAD', ...own, '--not', '--remotes') !== '0' ||
    submodulesIn(submodule).some(holdsWork)
  )
}
