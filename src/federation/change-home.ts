import { readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { forgetWorktreesIn, relinkWorktrees, reviveWorktrees } from '../platform/git/worktree-links.ts'
import { knownWorktrees, repositoryOf } from '../platform/git/worktree.ts'
import { FedError, UsageError } from '../errors/fed-error.ts'
import { git, gitOrNothing } from '../platform/git/git.ts'
import { federationLayout, workspaceLayout } from '../protocol/layout.ts'
import type { RegistryEntry } from '../protocol/registry.ts'
import { TeamRegistry } from '../records/registry/registry.ts'
import { disk, makeDirectory, temporaryIn } from '../platform/storage/disk.ts'
import { versionsDirectory } from '../platform/storage/versioned-steps.ts'
import { replaceRecord } from './federation-record.ts'
import { homeOf, placedHere, type Displaced } from './federation-home.ts'
import { readIdentity } from './identity.ts'

/**
 * Corrects what names the old place of a federation that was moved: git's links to the teams' worktrees, their
 * `team.json`, the registry's locations, and last the federation's own record, so that a kill in between leaves one
 * that is still to be corrected.
 * @returns how many teams it has; undefined when it was not moved, or somebody else was faster.
 */
export function settleHere(root: string): number | undefined {
  const home = homeOf(root)
  if (home.kind !== 'moved') return undefined
  const registry = new TeamRegistry(root)
  relinkWorktrees(root, federationLayout(root).worktrees)
  reviveWorktrees(root)
  for (const entry of registry.read().teams) renameRoot(home, placedHere(home, entry))
  const { teams } = registry.updateEntries((entry) => {
    const placed = placedHere(home, entry)
    return placed.location === entry.location ? entry : placed
  })
  replaceRecord(root, home.id)
  return teams.length
}

function renameRoot({ root, from }: Displaced, { location }: RegistryEntry): void {
  const identity = identityIn(location)
  // a damaged one is repaired for itself, from registry and lifecycle
  if (identity?.root !== from) return
  const file = workspaceLayout(location).identity
  const temporary = temporaryIn(path.dirname(file))
  disk.create(temporary, `${JSON.stringify({ ...identity, root }, null, 2)}\n`)
  disk.rename(temporary, file)
}

function identityIn(workspace: string) {
  try {
    return readIdentity(workspace)
  } catch (error) {
    if (error instanceof FedError) return undefined
    throw error
  }
}

/**
 * Begins a federation without teams where a copy of another one lies, or one that was moved. What came along goes
 * into `.fed/copied/<id>`, its worktrees with all that they hold, on no branch; nothing outside of this folder and of
 * this repository's `.git` is written. A kill in between leaves a copy that has still to begin
 * anew.
 * @returns the folder that keeps what came along.
 * @throws {UsageError} when the federation is at home, or its `.git` is the original's.
 */
export function beginAnew(root: string): string {
  const home = homeOf(root)
  if (home.kind === 'here')
    throw new UsageError(`--anew: ${root} is no copy, its federation was set up there; leave the option out`)
  const isShared = sharesGit(home)
  const { fed, copied, record, registry } = federationLayout(root)
  const kept = path.join(copied, home.id)
  makeDirectory(kept)
  // the registry last: without it nothing would say any more that this is a copy
  const last = [registry, versionsDirectory(registry)].map((place) => path.basename(place))
  const stays = new Set([...last, ...[copied, record].map((place) => path.basename(place))])
  const rest = readdirSync(fed).filter((name) => !stays.has(name))
  for (const name of rest) disk.rename(path.join(fed, name), freeIn(kept, name))
  const worktrees = path.join(kept, path.basename(federationLayout(root).worktrees))
  const own = new Set(isShared ? [] : relinkWorktrees(root, worktrees))
  for (const name of disk.list(worktrees)) detach(path.join(worktrees, name), own)
  if (!isShared) forgetWorktreesIn(root, federationLayout(home.from).worktrees)
  for (const name of last)
    if (disk.exists(path.join(fed, name))) disk.rename(path.join(fed, name), freeIn(kept, name))
  replaceRecord(root)
  return kept
}

/** One that was killed may have moved the same before, and somebody else's command may have made it anew. */
function freeIn(kept: string, name: string): string {
  const place = path.join(kept, name)
  return disk.exists(place) ? `${place}.${uuid()}` : place
}

/** Its branch is free then; a worktree that is not this repository's has no git at all, or git would work in the original. */
function detach(workspace: string, own: ReadonlySet<string>): void {
  // no checkout, which would refuse a merge that is under way, and run hooks
  if (own.has(workspace))
    git(workspace, 'update-ref', '--no-deref', 'HEAD', git(workspace, 'rev-parse', 'HEAD'))
  else if (disk.exists(path.join(workspace, '.git')))
    disk.rename(path.join(workspace, '.git'), freeIn(workspace, '.git-of-the-original'))
}

/**
 * Whether the original is a worktree of the same repository, where git's notes of the teams' worktrees are its own.
 * @throws {UsageError} where the folder itself was copied with a `.git` that names the original's: what git does here,
 * it does there.
 */
function sharesGit({ root, from }: Displaced): boolean {
  if (gitOrNothing(from, 'rev-parse', '--git-dir') === undefined) return false
  if (repositoryOf(root) !== repositoryOf(from)) return false
  const place = realpathSync(root)
  if (knownWorktrees(from).some((known) => known.path === place)) return true
  throw new UsageError(
    `--anew: ${root} has the git of ${from}, so that both change the same; make it a repository or a worktree of its own ('git worktree add'), and begin there`,
  )
}
