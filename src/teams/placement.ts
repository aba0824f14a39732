import path from 'node:path'
import fs from 'fs-extra'
import { FedError, TeamExistsError, UsageError } from '../errors.ts'
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
        if (isFolder(workspace)) return false
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
        if (isFolder(workspace) && fs.existsSync(path.join(workspace, '.git'))) return false
        if (!refExists(root, 'HEAD')) {
          throw new UsageError(
            `a worktree needs a commit to start from, and ${root} has none: commit something first`,
          )
        }
        branchIsNew = !refExists(root, `refs/heads/${branch}`)
        if (!fs.existsSync(workspace)) forget(root, path.relative(root, workspace))
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
function forget(root: string, relative: string): void {
  // git says where folders really are
  const workspace = path.join(fs.realpathSync(root), relative)
  const known = git(root, 'worktree', 'list', '--porcelain')
    .split('\n\n')
    .map((entry) => entry.split('\n'))
    .find((lines) => lines.includes(`worktree ${workspace}`))
  // one that is just being made is locked, and not prunable
  if (known?.some((line) => line.startsWith('prunable')))
    git(root, 'worktree', 'remove', '--force', workspace)
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
