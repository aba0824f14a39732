import { watchDirectory } from '../../records/signals/watch.ts'

/**
 * Watches the names in a folder. `next` resolves once they may have changed since `next` was called before, also where
 * nobody waited for that call any more; `end` stops the watch.
 */
export function changeQueue(dir: string): { next: () => Promise<void>; end: () => void } {
  let changes = 0
  let known = 0
  let wake = () => {}
  let change = new Promise<void>((resolve) => (wake = resolve))
  const end = watchDirectory(dir, () => {
    changes += 1
    wake()
    change = new Promise((resolve) => (wake = resolve))
  })
  return {
    end,
    next() {
      const isBehind = changes > known
      known = changes
      return isBehind ? Promise.resolve() : change
    },
  }
}
