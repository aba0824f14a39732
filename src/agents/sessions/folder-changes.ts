import { watchDirectory } from '../../records/signals/watch.ts'

/** Promises for "something changed since you last asked". */
export function changeQueue(dir: string): { next: () => Promise<void>; end: () => void } {
  let changed = false
  let wake: (() => void) | undefined
  const end = watchDirectory(dir, () => {
    changed = true
    wake?.()
  })
  return {
    end,
    async next() {
      if (!changed) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      changed = false
    },
  }
}
