import path from 'node:path'
import fs from 'fs-extra'
import { FedError, TeamExistsError, UsageError } from '../errors.ts'
import { git } from '../git.ts'
import { federationLayout } from '../protocol/layout.ts'
import type { PlacementType } from '../protocol/registry.ts'
import { makeDirectory } from '../storage/disk.ts'

/** A workspace's place, before and after there is one. */
interface Place {
  /** Absolute path of the workspace. */
  readonly workspace: string
  /**
   * Creates the folder; true when it was not there before.
   * @param isAnotherAtWork whether some other process is onboarding this team at this moment.
   */
  prepare(isAnotherAtWork: () => boolean): boolean
  /** Takes back what `prepare` created. */
  discard(): void
}

/** Where teams live (spec §2.4): in a folder of `.fed/teams/`, or in a git worktree on a branch of their own. */
export const placements: Record<PlacementType, (root: string, domain: string) => Place> = {
  directory(root, domain) {
    const workspace = path.join(federationLayout(root).teams, domain)
    return {
      workspace,
      prepare() {
        if (isFolder(workspace)) return false
        makeDirectory(workspace)
        return true
      },
      discard: () => fs.removeSync(workspace),
    }
  },
  worktree(root, domain) {
    const workspace = path.join(federationLayout(root).worktrees, domain)
    const branch = `fed/${domain}`
    let branchIsNew = false
    return {
      workspace,
      prepare(isAnotherAtWork) {
        if (isLeftHalfMade(root, workspace, isAnotherAtWork)) takeBack(root, workspace)
        else if (isFolder(workspace) && fs.existsSync(path.join(workspace, '.git'))) return false
        if (!refExists(root, 'HEAD')) {
          throw new UsageError(
            `a worktree needs a commit to start from, and ${root} has none: commit something first`,
          )
        }
        branchIsNew = !refExists(root, `refs/heads/${branch}`)
        if (!fs.existsSync(workspace)) forget(root, workspace)
        try {
          git(
            root,
            'worktree',
            'add',
            '--quiet',
            ...(branchIsNew ? ['-b', branch, workspace] : [workspace, branch]),
          )
        } catch (error) {
          if (!fs.existsSync(workspace) && !refExists(root, `refs/heads/${branch}`)) throw error
          throw new TeamExistsError(
            `team '${domain}' is being onboarded by somebody else, or its branch is in use: ${(error as Error).message}`,
            { cause: error },
          )
        }
        return true
      },
      discard() {
        git(root, 'worktree', 'remove', '--force', workspace)
        if (branchIsNew) git(root, 'branch', '--quiet', '-D', branch)
      },
    }
  },
}

/** Something else in a workspace's place is never removed. */
function isFolder(workspace: string): boolean {
  const found = fs.statSync(workspace, { throwIfNoEntry: false })
  if (found !== undefined && !found.isDirectory())
    throw new UsageError(`${workspace} is in the way: it must be a folder`)
  return found !== undefined
}

/** A worktree whose folder was deleted by hand is still known to git, which would refuse to add it again. */
function forget(root: string, workspace: string): void {
  // one that is just being made is locked, and not prunable
  if (wordsOnWorktree(root, workspace).some((line) => line.startsWith('prunable')))
    git(root, 'worktree', 'remove', '--force', workspace)
}

/** What git knows of a worktree, line by line; nothing where it knows none. */
function wordsOnWorktree(root: string, workspace: string): string[] {
  // git says where folders really are
  const place = path.join(fs.realpathSync(root), path.relative(root, workspace))
  const known = git(root, 'worktree', 'list', '--porcelain')
    .split('\n\n')
    .map((entry) => entry.split('\n'))
  return known.find((lines) => lines.includes(`worktree ${place}`)) ?? []
}

/** Time that a git has to finish a worktree whose onboarding was killed, in milliseconds. */
const orphanMs = 3000
/** Time that somebody else has to finish one, in milliseconds. */
const othersMs = 30_000
const pollMs = 50

/**
 * Git locks a worktree until it is whole. Waits for whoever is making this one.
 * @returns whether it was left half made by a process that was killed.
 * @throws {TeamExistsError} when somebody takes too long.
 */
function isLeftHalfMade(root: string, workspace: string, isAnotherAtWork: () => boolean): boolean {
  const began = performance.now()
  while (wordsOnWorktree(root, workspace).includes('locked initializing')) {
    const waited = performance.now() - began
    if (waited > orphanMs && !isAnotherAtWork()) return true
    if (waited > othersMs) {
      throw new TeamExistsError(
        `${workspace} is being made by somebody else; 'git worktree list' in ${root} shows it`,
      )
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
  }
  return false
}

/** A worktree that never became whole holds nothing of anybody's; its branch stays. */
function takeBack(root: string, workspace: string): void {
  fs.removeSync(workspace)
  git(root, 'worktree', 'remove', '--force', '--force', workspace)
}

function refExists(root: string, ref: string): boolean {
  try {
    git(root, 'rev-parse', '--verify', '--quiet', ref)
    return true
  } catch (error) {
    if (error instanceof FedError) return false
    throw error
  }
}
