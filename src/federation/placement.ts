import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { branchOf, INITIALIZING, isUnborn, worktreeAt } from '../platform/git/worktree.ts'
import { UsageError } from '../errors/fed-error.ts'
import { GitBlockedError, GitError, WorktreeError } from '../errors/git-errors.ts'
import { git, gitOrNothing, gitWith } from '../platform/git/git.ts'
import { gitAtWork } from '../platform/git/git-processes.ts'
import type { PlacementType } from '../protocol/registry-schema.ts'
import { makeDirectory } from '../platform/storage/disk.ts'
import { remove } from '../platform/storage/without-links.ts'
import { workspaceFor } from './place-of-team.ts'
import { planWorktree, type WorktreePlan } from './onboarding/worktree-plan.ts'

/** A workspace's place, before and after there is one. */
interface Place {
  /** Absolute path of the workspace. */
  readonly workspace: string
  /** Creates the folder; true when it was not there before. One process at a time may. */
  prepare(): boolean
  /** Takes back what `prepare` created. */
  discard(): void
}

/**
 * Where teams live (spec §2.4): in a folder of `.fed/teams/`, or in a git worktree on a branch of their own.
 * `domain` is the team's id.
 */
export const placements: Record<PlacementType, (root: string, domain: string, target?: string) => Place> = {
  directory(root, domain) {
    const workspace = workspaceFor(root, 'directory', domain)
    return {
      workspace,
      prepare() {
        if (isFolder(workspace)) return false
        makeDirectory(workspace)
        return true
      },
      discard: () => remove(workspace),
    }
  },
  worktree(root, domain, target) {
    const workspace = workspaceFor(root, 'worktree', domain)
    const branch = branchOf(domain)
    let branchIsNew = false
    return {
      workspace,
      prepare() {
        if (isLeftHalfMade(root, workspace)) takeBack(root, workspace)
        const plan = planWorktree(root, domain, workspace)
        if (plan === 'there') {
          fillIndex(workspace)
          return false
        }
        branchIsNew = plan === 'on-a-new-branch'
        forget(root, workspace)
        // git would refuse a folder that is not empty
        if (existsSync(workspace) && isUnborn(workspace)) remove(workspace)
        try {
          git(root, 'worktree', 'add', '--quiet', ...addArguments(plan, workspace, branch, target))
        } catch (error) {
          if (!(error instanceof GitError)) throw error
          this.discard()
          throw new WorktreeError(
            workspace,
            `git could not make it (${wordsOf(error)})`,
            'nothing was changed; mend what git names and give the command again',
            error,
          )
        }
        return true
      },
      discard() {
        if (worktreeAt(root, workspace) !== undefined)
          git(root, 'worktree', 'remove', '--force', '--force', workspace)
        // nothing was committed on it
        if (branchIsNew) gitOrNothing(root, 'branch', '--quiet', '-D', branch)
      },
    }
  },
}

function addArguments(
  plan: Exclude<WorktreePlan, 'there'>,
  workspace: string,
  branch: string,
  target: string | undefined,
): readonly string[] {
  // without a target where the root is
  const start = target === undefined ? [] : [`refs/heads/${target}`]
  switch (plan) {
    case 'on-a-new-branch':
      return ['--no-track', '-b', branch, workspace, ...start]
    case 'on-a-merged-branch':
      // it begins where the target is now, and loses nothing
      return ['--no-track', '-B', branch, workspace, ...start]
    case 'on-its-branch':
      return [workspace, branch]
  }
}

/** What git said in one line, without what it says on the way. */
function wordsOf({ words }: GitError): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '')
  const fatal = lines.filter((line) => /^(?:fatal|error):/.test(line))
  return (fatal.length > 0 ? fatal : lines.slice(-1))
    .map((line) => line.replace(/^(?:fatal|error): /, ''))
    .join('; ')
}

/** Something else in a workspace's place is never removed. */
function isFolder(workspace: string): boolean {
  const found = statSync(workspace, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory())
    throw new UsageError(`${workspace} is in the way: it must be a folder`)
  return found !== undefined
}

/** A worktree whose folder was deleted by hand is still known to git, which would refuse to add it again. */
function forget(root: string, workspace: string): void {
  // one that is just being made is locked, and not prunable
  if (worktreeAt(root, workspace)?.isPrunable) git(root, 'worktree', 'remove', '--force', workspace)
}

/** Time that a git has to finish a worktree whose onboarding was killed, in milliseconds. */
const orphanMs = 3000
const pollMs = 50

/**
 * Git locks a worktree until it is whole. Waits for one that goes on by itself after its onboarding was killed.
 * @returns whether it was left half made.
 */
function isLeftHalfMade(root: string, workspace: string): boolean {
  const began = performance.now()
  while (worktreeAt(root, workspace)?.lock === INITIALIZING) {
    if (performance.now() - began > orphanMs) {
      assertNoGitIn(workspace)
      return true
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
  }
  return false
}

/** @throws {GitBlockedError} while a git is still making the worktree: it goes on when what started it was killed. */
function assertNoGitIn(workspace: string): void {
  const isThere = (place: string) => `${place}${path.sep}`.startsWith(`${workspace}${path.sep}`)
  const pid = gitAtWork(isThere, process.getuid?.() ?? -1)
  if (pid === undefined) return
  const what = `git (process ${pid}) is still making this worktree, for an onboarding that was killed`
  throw new GitBlockedError(workspace, what, 'give the command again when it has ended, or end it', undefined)
}

/**
 * A git that was killed before it had checked everything out leaves no index: it is made of the commit, and what is
 * not there yet is checked out. Files that are there stay as they are.
 */
function fillIndex(workspace: string): void {
  const index = path.resolve(workspace, git(workspace, 'rev-parse', '--git-path', 'index'))
  if (existsSync(index)) return
  git(workspace, 'reset', '--quiet')
  const missing = git(workspace, 'ls-files', '--deleted', '-z')
  gitWith(workspace, ['checkout-index', '-z', '--stdin', '--quiet'], { input: missing })
}

/** A worktree that never became whole holds nothing of anybody's; its branch stays. */
function takeBack(root: string, workspace: string): void {
  remove(workspace)
  git(root, 'worktree', 'remove', '--force', '--force', workspace)
}
