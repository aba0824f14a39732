import { realpathSync } from 'node:fs'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { UntrustedError, type TrustedPart } from '../../errors/untrusted-error.ts'
import { allowFiltersOf, filtersOf } from '../../platform/git/repository-filters.ts'
import type { RepositoryFilter } from '../../platform/git/strange-filters.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import type { Config } from '../../protocol/config-schema.ts'
import { now } from '../../protocol/time.ts'
import { loadConfig } from '../../records/config/load-config.ts'
import { replaceTrusted, trustedIn } from './trust-store.ts'
import { digestOfAll, isSame, parts, presentOf, type Digests } from './what-runs.ts'

/** What a repository would run, and by which digest all of it can be allowed. */
export interface Present {
  readonly parts: ReadonlyMap<TrustedPart, Digests>
  /** Filters that the configuration of the repository names, which no clone brings along. */
  readonly filters: readonly RepositoryFilter[]
  /** SHA-256, for `FED_TRUST`. */
  readonly sha256: string
}

/**
 * Refuses what nobody on this machine has allowed in a federation.
 * @throws {UntrustedError}; {HookError} where the hook's files cannot be told
 */
export function assertTrusted(root: string, ...asked: readonly TrustedPart[]): void {
  const error = asked.map((part) => whyUntrusted(root, part)).find((one) => one !== undefined)
  if (error !== undefined) throw error
}

/** Why a part does not run; undefined where it may, or where there is nothing of it. */
export function whyUntrusted(
  root: string,
  part: TrustedPart,
  config: Config = loadConfig(root),
): UntrustedError | undefined {
  const known = trustedIn(root)?.allows[part]
  const present = presentOf(part, root, config)
  if (present === undefined || isSame(present, known)) return undefined
  const { FED_TRUST: allowed } = process.env
  if (allowed && allowed === presentIn(root, config).sha256) return undefined
  return new UntrustedError(part, known !== undefined)
}

/**
 * Everything of a repository that needs trust.
 * @throws {HookError}
 */
export function presentIn(root: string, config: Config = loadConfig(root)): Present {
  const found = parts.flatMap((part) => {
    const digests = presentOf(part, root, config)
    return digests === undefined ? [] : [[part, digests] as const]
  })
  const all = new Map(found)
  return { parts: all, filters: filtersOf(root), sha256: digestOfAll(all) }
}

/** Allows what there is in a federation, and nothing that was allowed there before. */
export function allow(root: string, { parts: given, filters }: Pick<Present, 'parts' | 'filters'>): void {
  const real = realpathSync(root)
  allowFiltersOf(root, filters)
  const allows = Object.fromEntries(given)
  replaceTrusted(real, () => (given.size === 0 ? undefined : { root: real, at: now(), allows }))
}

/** Allows nothing of a federation any more, which need not be there; returns whether anything was allowed. */
export function revoke(real: string): boolean {
  allowFiltersOf(real, [])
  return replaceTrusted(real, () => undefined)
}

/**
 * Allows the commands of a configuration that a person has just made here by a command of fed, and the filters that
 * were there before.
 */
export function allowConfigured(root: string): void {
  const config = loadConfig(root)
  const made = (['agentCommand', 'agents', 'checks', 'confinement'] as const).flatMap((part) => {
    const digests = presentOf(part, root, config)
    return digests === undefined ? [] : [[part, digests] as const]
  })
  // where it cannot be noted, whoever launches is told what to do
  unless([isSystemError, FedError], () => {
    const filters = filtersOf(root)
    if (made.length > 0) allow(root, { parts: new Map(made), filters })
    else allowFiltersOf(root, filters)
  })
}
