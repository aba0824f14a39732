import { createHash } from 'node:crypto'
import { readDuration } from '../../protocol/duration.ts'
import type { Config } from '../../protocol/config-schema.ts'

/** What prepares a fresh checkout. */
export interface Setup {
  readonly run: string
  /** Paths inside of the checkout that are kept for the next ones. */
  readonly keep: readonly string[]
  /** Paths beside manifests and lock files that decide what it makes. */
  readonly inputs: readonly string[]
  readonly timeoutMs: number
}

/** A check that the federation configures. */
export interface Check {
  readonly name: string
  readonly run: string
  readonly timeoutMs: number
  readonly protects: readonly string[]
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
  const setup = given === undefined ? undefined : { ...given, timeoutMs: milliseconds(given.timeout) }
  return checks.map(({ name, run, timeout, protects = [] }) => {
    const timeoutMs = milliseconds(timeout)
    const setups = [setup?.run, setup?.keep, setup?.inputs, setup?.timeoutMs]
    const digest = digestOf(['check-1', name, run, timeoutMs, ...setups])
    return { name, run, timeoutMs, protects, setup, digest }
  })
}

/** Digest of values, to compare them: 32 hexadecimal digits. */
export function digestOf(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 32)
}
