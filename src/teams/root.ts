import { existsSync } from 'node:fs'
import path from 'node:path'
import { FederationNotFoundError } from '../errors.ts'
import { federationLayout } from '../protocol/layout.ts'
import { readIdentity } from './identity.ts'

export interface Found {
  /** Absolute path of the federation's root. */
  readonly root: string
  /** The team in whose workspace the search began, if any. */
  readonly team?: string
}

/**
 * Finds the federation from a folder upward. A workspace says itself where it belongs; it is asked first,
 * because a worktree also holds a copy of the configuration.
 * @throws {FederationNotFoundError} when there is none.
 */
export function findRoot(from: string): Found {
  const start = path.resolve(from)
  for (let dir = start; ; dir = path.dirname(dir)) {
    const identity = readIdentity(dir)
    if (identity !== undefined) return { root: identity.root, team: identity.team }
    const layout = federationLayout(dir)
    if (existsSync(layout.config) || existsSync(layout.registry)) return { root: dir }
    if (path.dirname(dir) === dir) throw new FederationNotFoundError(start)
  }
}
