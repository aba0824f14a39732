import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { v5 as uuidOf } from 'uuid'
import { unless } from '../errors/unless.ts'
import { FedError, RefusedError } from '../errors/fed-error.ts'
import { printable } from '../errors/printable.ts'
import { federationLayout, workspaceOf } from '../protocol/folder-layout.ts'
import type { Registry, RegistryEntry } from '../protocol/registry-schema.ts'
import { TeamRegistry } from '../records/registry/team-registry.ts'
import { isSystemError } from '../platform/storage/system-error.ts'
import { readRecord, type FederationRecord } from './federation-record.ts'

/**
 * Whether a federation lies where its own record says. `moved`: the federation is not there any more.
 * `copied`: it is still there as well, so its teams live there. `unreachable`: whether it is there cannot be
 * read.
 */
export type Home = { readonly kind: 'here' } | Displaced
export interface Displaced {
  readonly kind: 'moved' | 'copied' | 'unreachable'
  readonly root: string
  /** Where the record says that it lies. */
  readonly from: string
  readonly id: string
  /** Why nobody can look there. */
  readonly reason?: string
}

/** A federation lies elsewhere than its record says: registry and worktrees name the other place. */
export class DisplacedError extends RefusedError {
  readonly displaced: Displaced

  constructor(displaced: Displaced) {
    const { what, advice } = inWords(displaced)
    super(`${what}; nothing was changed: ${advice}`)
    this.displaced = displaced
  }
}

/** A displaced federation in words: what it is, and what helps. */
export function inWords({ kind, root, from, reason }: Displaced): { what: string; advice: string } {
  const [here, there] = [printable(root, Infinity), printable(from, Infinity)]
  const anew =
    "'fed init --anew' begins a federation of its own here, and keeps what came along in .fed/copied"
  switch (kind) {
    case 'moved':
      return {
        what: `this federation was moved: it was set up in ${there}, and lies in ${here} now`,
        advice:
          "'fed doctor --fix' corrects what names the old place; of a copy, 'fed init --anew' makes a new one",
      }
    case 'copied':
      return {
        what: `${here} is a copy: its federation and its teams live in ${there}`,
        advice: `work there, or ${anew}`,
      }
    case 'unreachable':
      return {
        what: `this federation was set up in ${there}, where nobody can look whether it is still there (${reason})`,
        advice: `make that readable, or ${anew}`,
      }
  }
}

/**
 * Where a federation is at home. One without teams is at home wherever it lies: nothing in it names a place.
 * @throws {CorruptDocumentError} when its own record is damaged.
 */
export function homeOf(root: string): Home {
  const record = readRecord(root)
  if (record === undefined) return unrecordedHomeOf(root)
  if (isSameFolder(root, record.root)) return { kind: 'here' }
  if (new TeamRegistry(root).read().teams.length === 0) return { kind: 'here' }
  return { root, from: record.root, id: record.id, ...lookAt(record) }
}

/** `homeOf` by what the registry says, where the record is gone or was never written. */
function unrecordedHomeOf(root: string): Home {
  const { teams } = new TeamRegistry(root).read()
  const [from, ...others] = new Set(teams.map(rootOf))
  if (from === undefined || others.length > 0 || isSameFolder(root, from)) return { kind: 'here' }
  return { root, from, id: uuidOf(from, uuidOf.URL), ...lookForTeams(from, teams) }
}

/** Root of the federation in whose folder a team got its workspace; undefined for one elsewhere. */
function rootOf(entry: RegistryEntry): string | undefined {
  const root = path.resolve(entry.location, '..', '..', '..')
  return workspaceOf(root, entry) === entry.location ? root : undefined
}

/**
 * Refuses a federation that is not at home.
 * @throws {DisplacedError | UnusablePlaceError} where nothing may be changed.
 */
export function assertAtHome(root: string): Home {
  assertPossible(root)
  const home = homeOf(root)
  if (home.kind !== 'here') throw new DisplacedError(home)
  return home
}

/**
 * Whether two paths lead to the same folder, through links, bind mounts or another case of letters. A copy is
 * another folder, also one of hard links. False where one of them cannot be read.
 */
export function isSameFolder(one: string, other: string): boolean {
  if (one === other) return true
  return (
    unless(isSystemError, () => {
      const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })]
      return a.dev === b.dev && a.ino === b.ino
    }) ?? false
  )
}

function lookAt({ root, id }: FederationRecord): Pick<Displaced, 'kind' | 'reason'> {
  // a newer federation, or somebody else's, is in the place of the one that moved
  return copiedWhere(() => readRecord(root)?.id === id)
}

function lookForTeams(root: string, teams: readonly RegistryEntry[]): Pick<Displaced, 'kind' | 'reason'> {
  const wanted = new Set(teams.map(({ domainId, onboardedAt }) => `${domainId} ${onboardedAt}`))
  return copiedWhere(() =>
    new TeamRegistry(root)
      .read()
      .teams.some(({ domainId, onboardedAt }) => wanted.has(`${domainId} ${onboardedAt}`)),
  )
}

function copiedWhere(isThere: () => boolean): Pick<Displaced, 'kind' | 'reason'> {
  try {
    return { kind: isThere() ? 'copied' : 'moved' }
  } catch (error) {
    if (!(error instanceof FedError || isSystemError(error))) throw error
    return { kind: 'unreachable', reason: (error as Error).message }
  }
}

/** The registry of a federation that is not at home, for reading only: each team has its place here. */
export class DisplacedRegistry extends TeamRegistry {
  readonly #displaced: Displaced

  constructor(displaced: Displaced) {
    super(displaced.root)
    this.#displaced = displaced
  }

  override read(): Registry {
    const registry = super.read()
    return { ...registry, teams: registry.teams.map((entry) => placedHere(this.#displaced, entry)) }
  }

  /** @throws {DisplacedError} */
  override update(): never {
    throw new DisplacedError(this.#displaced)
  }

  /** @throws {DisplacedError} */
  override updateEntries(): never {
    throw new DisplacedError(this.#displaced)
  }
}

/** A registry entry with the team's place here; a workspace outside of the federation keeps its place. */
export function placedHere(
  { root, from }: Pick<Displaced, 'root' | 'from'>,
  entry: RegistryEntry,
): RegistryEntry {
  const here = workspaceOf(root, entry)
  const isOwn = entry.location === workspaceOf(from, entry)
  // the path by which it was reached when the team was made may be gone as well
  const isGone = !existsSync(entry.location) && existsSync(here)
  return isOwn || isGone ? { ...entry, location: here } : entry
}

/** Why fed cannot work in a folder, and what helps. */
interface PlaceFault {
  readonly what: string
  readonly advice: string
}

/** The folder, or what lies in it, is none that fed can work in. */
export class UnusablePlaceError extends FedError {
  override readonly exitCode = 2

  constructor(root: string, { what, advice }: PlaceFault) {
    super(`${printable(root, Infinity)}: ${what}; ${advice}`)
  }
}

/** @throws {UnusablePlaceError} where fed cannot work in the folder. */
export function assertPossible(root: string): void {
  const fault = placeFault(root)
  if (fault !== undefined) throw new UnusablePlaceError(root, fault)
}

/** Why fed cannot work in a folder; undefined where it can. */
export function placeFault(root: string): PlaceFault | undefined {
  // git tells worktrees in lines, and agents get paths in their prompts
  if (/[\n\r]/.test(realpathSync(root)))
    return {
      what: "its path holds a line break, which git's lists of worktrees cannot tell",
      advice: 'rename it',
    }
  const { fed } = federationLayout(root)
  const stat = lstatSync(fed, { throwIfNoEntry: false })
  if (stat === undefined || stat.isDirectory()) return undefined
  // git would not ignore it, and worktrees would lie outside of what is mounted for an agent
  const what = stat.isSymbolicLink() ? 'a link' : 'no folder'
  return { what: `.fed is ${what}, and must be a folder of its own`, advice: 'put a folder there' }
}

/** The root's path as its record has it; as given where there is no record, or it names another folder. */
export function nameOf(root: string): string {
  const recorded = readRecord(root)?.root
  return recorded !== undefined && path.resolve(root) !== recorded && isSameFolder(root, recorded)
    ? recorded
    : root
}
