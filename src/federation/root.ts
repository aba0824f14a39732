import { existsSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { FederationNotFoundError } from '../errors/team-errors.ts'
import { federationLayout, workspaceOf } from '../protocol/folder-layout.ts'
import { TeamRegistry } from '../records/registry/team-registry.ts'
import { nameOf } from './federation-home.ts'
import { readIdentity, type Identity } from './identity.ts'

export interface Found {
  /** Absolute path of the federation's root. */
  readonly root: string
  /** The team in whose workspace the search began, if any. */
  readonly team?: string
}

/**
 * Whether a federation knows this folder as that team's workspace. A repository may bring a `.fed/team.json`
 * of its own making, which must not lead commands to somebody else's federation.
 */
function isRegistered({ root, team }: Identity, dir: string): boolean {
  const entry = new TeamRegistry(root).read().teams.find(({ domainId }) => domainId === team)
  return (
    entry !== undefined && existsSync(entry.location) && realpathSync(entry.location) === realpathSync(dir)
  )
}

/** The federation whose registry has a team's workspace here, also after a move or copy; else undefined. */
function byPlace(dir: string): Found | undefined {
  const root = path.resolve(dir, '..', '..', '..')
  const isPlace = /^\.fed[/\\](?:teams|worktrees)$/.test(path.relative(root, path.dirname(dir)))
  if (!isPlace || !existsSync(federationLayout(root).registry)) return undefined
  const entry = new TeamRegistry(root).read().teams.find((one) => workspaceOf(root, one) === dir)
  return entry && { root: nameOf(root), team: entry.domainId }
}

/**
 * Finds the federation from a folder upward, within the innermost repository. A workspace says itself where
 * it belongs; it is asked first, because a worktree also holds a copy of the configuration.
 * @throws {FederationNotFoundError} when there is none; it names one around that repository.
 */
export function findRoot(from: string): Found {
  const start = path.resolve(from)
  for (let dir = start; ; dir = path.dirname(dir)) {
    const found = federationIn(dir)
    if (found !== undefined) return found
    if (path.dirname(dir) === dir) throw new FederationNotFoundError(start)
    if (isRepository(dir))
      throw new FederationNotFoundError(start, { repository: dir, outer: federationOutside(dir) })
  }
}

/** Root of the nearest federation above a folder, whatever repositories lie between. */
export function federationOutside(dir: string): string | undefined {
  for (let outer = path.dirname(dir); outer !== path.dirname(outer); outer = path.dirname(outer)) {
    const found = federationIn(outer)
    if (found !== undefined) return found.root
  }
  return undefined
}

function federationIn(dir: string): Found | undefined {
  const identity = readIdentity(dir)
  if (identity !== undefined && isRegistered(identity, dir)) return identity
  const placed = byPlace(dir)
  if (placed !== undefined) return placed
  const layout = federationLayout(dir)
  return existsSync(layout.config) || existsSync(layout.registry) ? { root: nameOf(dir) } : undefined
}

/** Whether a folder is the top of a repository or worktree; a mere folder `.git` does not make it one. */
function isRepository(dir: string): boolean {
  const place = path.join(dir, '.git')
  const found = statSync(place, { throwIfNoEntry: false })
  return found !== undefined && (found.isFile() || existsSync(path.join(place, 'HEAD')))
}
