import type { LifecyclePhase } from '../../../machines/registry-status.ts'
import type { PersistedSnapshot } from './lifecycle.ts'

/** The leaf's name of a state as a snapshot keeps it: `scanning` of `{ working: 'scanning' }`. */
export function leafOfValue(value: unknown): string {
  if (typeof value === 'string') return value
  const [inner] = Object.values((value ?? {}) as object) as unknown[]
  return inner === undefined ? '' : leafOfValue(inner)
}

/** Where a lifecycle stands as the registry sees it: only the top state named `paused` is paused. */
export function phaseOf({ status, value }: Pick<PersistedSnapshot, 'status' | 'value'>): LifecyclePhase {
  if (status === 'done') return 'finished'
  return value === 'paused' ? 'paused' : 'working'
}
