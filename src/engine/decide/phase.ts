import type { LifecyclePhase } from '../../../machines/registry-status.ts'
import type { PersistedSnapshot } from './lifecycle.ts'

/** Where a lifecycle stands as the registry sees it: only the top state named `paused` is paused. */
export function phaseOf({ status, value }: Pick<PersistedSnapshot, 'status' | 'value'>): LifecyclePhase {
  if (status === 'done') return 'finished'
  return value === 'paused' ? 'paused' : 'working'
}
