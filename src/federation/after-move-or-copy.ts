import { existsSync, lstatSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { unless } from '../errors/unless.ts'
import { RefusedError, UsageError } from '../errors/fed-error.ts'
import { isOtherThanNewer } from '../errors/newer-format.ts'
import { git, gitOrNothing } from '../platform/git/git.ts'
import {
  foldersIn,
  forgetWorktrees,
  relinkWorktrees,
  reviveWorktrees,
} from '../platform/git/worktree-links.ts'
import { knownWorktrees, repositoryOf } from '../platform/git/worktree.ts'
import { federationLayout, workspaceLayout } from '../protocol/folder-layout.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import { type Displaced, assertPossible, homeOf, isSameFolder, placedHere } from './federation-home.ts'
import { readRecord, replaceRecord } from './federation-record.ts'
import { claim } from '../platform/storage/claim.ts'
import { disk, makeDirectory, replaceFile } from '../platform/storage/disk.ts'
import { assertUsableDisk } from '../platform/storage/hard-links.ts'
import { hasCode } from '../platform/storage/system-error.ts'
import { versionsDirectory } from '../platform/storage/versioned-steps.ts'
import { TeamRegistry } from '../records/registry/team-registry.ts'
import { identityText, readIdentity } from './identity.ts'
import { loadConfig } from '../records/config/load-config.ts'

/**
 * Corrects what names the old place of a federation that was moved: git's links to the teams' worktrees,
 * their `team.json`, the registry's locations, and last the federation's own record. A kill in between leaves
 * a federation that is still to be corrected.
 * @returns how many teams it has; undefined when it was not moved, or another process was faster.
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
  replaceFile(file, identityText({ ...identity, root }))
}

function identityIn(workspace: string) {
  return unless(isOtherThanNewer, () => readIdentity(workspace))
}

/**
 * Begins a federation without teams in a folder to which one was copied or moved. What came along goes into
 * `.fed/copied/<id>`, its worktrees with all that they hold, on no branch. Nothing outside of this folder and
 * of this repository's `.git` is written. A kill in between leaves a copy that has still to begin anew; of
 * several processes at once, one does it.
 * @returns the folder that keeps what came along.
 * @throws {UsageError} when the federation is at home, or its `.git` is the original's; {UnusablePlaceError |
 * NoHardLinksError | FolderFaultError | ConfigValidationError} where none could begin. Nothing was changed
 * then.
 */
export function beginAnew(root: string): string {
  assertPossible(root)
  const origin = originOf(root)
  if (origin === undefined)
    throw new UsageError(`--anew: ${root} is no copy, its federation was set up there; leave the option out`)
  assertUsableDisk(federationLayout(root).fed)
  loadConfig(root)
  sharesGit(origin)
  const kept = path.join(federationLayout(root).copied, origin.id)
  beginningAnew(root, () => {
    // somebody else may have been faster
    if (originOf(root)?.id === origin.id) putAway(origin, kept)
  })
  return kept
}

/** Where a federation that was copied or moved came from: its folder now, its folder then, and its id. */
type Origin = Pick<Displaced, 'root' | 'from' | 'id'>

/** Where the federation of this folder came from, with or without teams; undefined if it was set up here. */
function originOf(root: string): Origin | undefined {
  const record = readRecord(root)
  if (record !== undefined)
    return isSameFolder(root, record.root) ? undefined : { root, from: record.root, id: record.id }
  const home = homeOf(root)
  return home.kind === 'here' ? undefined : home
}

/** Moves everything that came along into `kept`, and records that another federation is here. */
function putAway(origin: Origin, kept: string): void {
  const { root, from } = origin
  const isShared = sharesGit(origin)
  const isTheirs = worktreesOf(from)
  const { fed, copied, record, registry } = federationLayout(root)
  makeDirectory(kept)
  // the registry last: without it nothing would say any more that this is a copy
  const last = [versionsDirectory(registry), registry].map((place) => path.basename(place))
  const stays = new Set([...last, ...[copied, record].map((place) => path.basename(place))])
  // whoever waits for the right to do the same is about to give such a file its name
  const isClaim = (name: string) => name.startsWith(`${claimName}.`) || /^\..*\.tmp$/.test(name)
  const rest = disk.list(fed).filter((name) => !stays.has(name) && !isClaim(name))
  for (const name of rest) move(path.join(fed, name), freeIn(kept, name))
  const worktrees = path.join(kept, path.basename(federationLayout(root).worktrees))
  const own = new Set(isShared ? [] : relinkWorktrees(root, worktrees))
  for (const workspace of foldersIn(worktrees)) detach(workspace, own)
  if (!isShared) forgetWorktrees(root, isTheirs)
  for (const name of last) move(path.join(fed, name), freeIn(kept, name))
  replaceRecord(root)
}

const claimName = '.beginning-anew'
/** How long to wait while another process begins anew, in milliseconds. */
const othersMs = 30_000
const pollMs = 20

/**
 * Runs `act` while no other process begins anew in this folder; waits for others.
 * @throws {RefusedError} when another process takes longer than `othersMs`.
 */
function beginningAnew(root: string, act: () => void): void {
  const { fed } = federationLayout(root)
  const began = performance.now()
  for (;;) {
    const release = claim(fed, claimName)
    if (release !== undefined) {
      try {
        return act()
      } finally {
        release()
      }
    }
    if (performance.now() - began > othersMs)
      throw new RefusedError(
        `somebody else is beginning anew in ${root}; give the command again when that has ended`,
      )
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
  }
}

/** Renames a file or folder; does nothing when another process has removed `from` meanwhile. */
function move(from: string, to: string): void {
  try {
    disk.rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || lstatSync(from, { throwIfNoEntry: false }) !== undefined) throw error
  }
}

/** Makes a function that tells whether a folder is a worktree of a federation's teams, links followed. */
function worktreesOf(root: string): (place: string) => boolean {
  const { worktrees } = federationLayout(root)
  const linked = new Set(
    // a person may have made it a link to a larger disk
    (existsSync(worktrees) ? disk.list(realpathSync(worktrees)) : [])
      .map((name) => path.join(worktrees, name))
      .filter((place) => existsSync(place))
      .map((place) => realpathSync(place)),
  )
  return (place) => path.dirname(place) === worktrees || linked.has(place)
}

/** The path for a name in `kept`, with a suffix where a killed process has put something of that name. */
function freeIn(kept: string, name: string): string {
  const place = path.join(kept, name)
  return disk.exists(place) ? `${place}.${uuid()}` : place
}

/**
 * Takes a worktree off its branch, so that the branch is free. One that is not this repository's loses its
 * `.git` to another name, or git would work in the original.
 * @param own the worktrees of this repository.
 */
function detach(workspace: string, own: ReadonlySet<string>): void {
  // no checkout, which would refuse a merge that is under way, and run hooks
  if (own.has(workspace))
    git(workspace, 'update-ref', '--no-deref', 'HEAD', git(workspace, 'rev-parse', 'HEAD'))
  else if (disk.exists(path.join(workspace, '.git')))
    disk.rename(path.join(workspace, '.git'), freeIn(workspace, '.git-of-the-original'))
}

/**
 * Whether the original is a worktree of the same repository; git's notes of the teams' worktrees are the
 * original's then.
 * @throws {UsageError} where the folder itself was copied with a `.git` that names the original's: what git
 * does here, it does there.
 */
function sharesGit({ root, from }: Origin): boolean {
  // git cannot be asked where there is nothing, as in a copy on another machine
  if (!existsSync(from) || gitOrNothing(from, 'rev-parse', '--git-dir') === undefined) return false
  if (repositoryOf(root) !== repositoryOf(from)) return false
  const place = realpathSync(root)
  if (knownWorktrees(from).some((known) => known.path === place)) return true
  throw new UsageError(
    `--anew: ${root} has the git of ${from}, so that both change the same; make it a repository or a worktree of its own ('git worktree add'), and begin there`,
  )
}
