import { watchDirectory } from '../../records/signals/watch.ts'

/**
 * Watches the names in a folder. `next` resolves once they may have changed since its call before, for one
 * waiting caller at a time; `end` stops the watch.
 */
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
