import path from 'node:path'
import fs from 'fs-extra'
import { FedError, UsageError } from '../errors.ts'
import { git } from '../git.ts'
import { federationLayout } from '../protocol/layout.ts'
import type { PlacementType } from '../protocol/registry.ts'

/** A workspace's place, before and after there is one. */
interface Place {
  /** Absolute path of the workspace. */
  readonly workspace: string
  /** Creates the folder; true when it was not there before. */
  prepare(): boolean
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
        if (fs.existsSync(workspace)) return false
        fs.ensureDirSync(workspace)
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
      prepare() {
        if (fs.existsSync(path.join(workspace, '.git'))) return false
        if (!refExists(root, 'HEAD')) {
          throw new UsageError(
            `a worktree needs a commit to start from, and ${root} has none: commit something first`,
          )
        }
        branchIsNew = !refExists(root, `refs/heads/${branch}`)
        git(
          root,
          'worktree',
          'add',
          '--quiet',
          ...(branchIsNew ? ['-b', branch, workspace] : [workspace, branch]),
        )
        return true
      },
      discard() {
        git(root, 'worktree', 'remove', '--force', workspace)
        if (branchIsNew) git(root, 'branch', '--quiet', '-D', branch)
      },
    }
  },
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
