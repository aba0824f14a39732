import { createHash } from 'node:crypto'
import { readDuration } from '../../protocol/duration.ts'
import type { Config } from '../../protocol/config-schema.ts'

/** What a command reaches of the network, within walls: nothing but itself, the registries of packages, or all. */
export type Reach = 'itself' | 'registries' | 'host'

/** What prepares a fresh checkout. */
export interface Setup {
  readonly run: string
  /** Paths inside of the checkout that are kept for the next ones. */
  readonly keep: readonly string[]
  /** Paths beside manifests and lock files that decide what it makes. */
  readonly inputs: readonly string[]
  readonly timeoutMs: number
  readonly reach: Reach
}

/** A check that the federation configures. */
export interface Check {
  readonly name: string
  readonly run: string
  readonly timeoutMs: number
  readonly protects: readonly string[]
  readonly reach: Reach
  readonly setup: Setup | undefined
  /** Digest of all that decides the result, except the commit; a result counts only for the same digest. */
  readonly digest: string
}

/** A duration of the configuration in milliseconds; its schema lets only valid ones pass. */
function milliseconds(duration: string): number {
  return readDuration(duration) ?? 0
}

/** The checks of a configuration in their order; none where it names none. */
export function checksOf({ checks, setup: given }: Pick<Config, 'checks' | 'setup'>): Check[] {
  const setup: Setup | undefined =
    given === undefined
      ? undefined
      : { ...given, timeoutMs: milliseconds(given.timeout), reach: given.network ?? 'registries' }
  return checks.map(({ name, run, timeout, network, protects = [] }) => {
    const timeoutMs = milliseconds(timeout)
    const setups = [setup?.run, setup?.keep, setup?.inputs, setup?.timeoutMs]
    const reached = [network, given?.network].filter((one) => one !== undefined)
    const digest = digestOf(['check-1', name, run, timeoutMs, ...setups, ...reached])
    return { name, run, timeoutMs, protects, reach: network ?? 'itself', setup, digest }
  })
}

/** Digest of values, to compare them: 32 hexadecimal digits. */
export function digestOf(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32)
}
