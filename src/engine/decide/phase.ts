import type { LifecyclePhase } from '../../../machines/registry-status.ts'
import type { PersistedSnapshot } from './lifecycle.ts'

/** The leaf's name of a state as a snapshot keeps it: `scanning` of `{ working: 'scanning' }`; of parallel ones the last. */
export function leafOfValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  const [state, inner] = Object.entries(value).at(-1) ?? ['', '']
  return leafOfValue(inner) || state
}

/** Where a lifecycle stands as the registry sees it: only the top state named `paused` is paused. */
export function phaseOf({ status, value }: Pick<PersistedSnapshot, 'status' | 'value'>): LifecyclePhase {
  if (status === 'done') return 'finished'
  return value === 'paused' ? 'paused' : 'working'
}
