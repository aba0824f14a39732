import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { FederationNotFoundError } from '../errors.ts'
import { federationLayout, workspaceOf } from '../protocol/layout.ts'
import { TeamRegistry } from '../registry/registry.ts'
import { nameOf } from './home.ts'
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

/** The federation around a folder that lies where it has a team's workspace, also after it was moved or copied. */
function byPlace(dir: string): Found | undefined {
  const root = path.resolve(dir, '..', '..', '..')
  const isPlace = /^\.fed[/\\](?:teams|worktrees)$/.test(path.relative(root, path.dirname(dir)))
  if (!isPlace || !existsSync(federationLayout(root).registry)) return undefined
  const entry = new TeamRegistry(root).read().teams.find((one) => workspaceOf(root, one) === dir)
  return entry && { root: nameOf(root), team: entry.domainId }
}

/**
 * Finds the federation from a folder upward. A workspace says itself where it belongs; it is asked first,
 * because a worktree also holds a copy of the configuration.
 * @throws {FederationNotFoundError} when there is none; {CorruptDocumentError}
 */
export function findRoot(from: string): Found {
  const start = path.resolve(from)
  for (let dir = start; ; dir = path.dirname(dir)) {
    const identity = readIdentity(dir)
    if (identity !== undefined && isRegistered(identity, dir)) return identity
    const placed = byPlace(dir)
    if (placed !== undefined) return placed
    const layout = federationLayout(dir)
    if (existsSync(layout.config) || existsSync(layout.registry)) return { root: nameOf(dir) }
    if (path.dirname(dir) === dir) throw new FederationNotFoundError(start)
  }
}
