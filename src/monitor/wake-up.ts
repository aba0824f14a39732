import type { FSWatcher } from 'node:fs'
import { isSignalName } from '../records/signals/signal-file.ts'
import { directoryHints } from '../records/signals/watch.ts'

/** What comes together wakes once: time from the first notice until the waiting ends, in milliseconds. */
const gatherMs = 100

/** Waits for the next cycle, or for a signal that arrives in one of the inboxes before. */
export class WakeUp {
  readonly #hints = new Map<string, FSWatcher | undefined>()
  #isHinted = false
  #wake: (() => void) | undefined

  /** Watches these inboxes and no others. Notices get lost: they only shorten the wait. */
  watch(inboxes: readonly string[]): void {
    const wanted = new Set(inboxes)
    for (const [inbox, hints] of this.#hints) {
      if (wanted.has(inbox)) continue
      hints?.close()
      this.#hints.delete(inbox)
    }
    for (const inbox of wanted) {
      if (this.#hints.has(inbox)) continue
      const hear = (name: string | null) => {
        // acknowledgments are what a cycle itself writes
        if (name !== null && !isSignalName(name)) return
        this.#isHinted = true
        this.#wake?.()
      }
      this.#hints.set(inbox, directoryHints(inbox, hear))
    }
  }

  /**
   * Resolves when something was heard of since the last call, after so many milliseconds, or when `signal`
   * aborts; false for the last of these.
   */
  async next(longestMs: number, signal: AbortSignal): Promise<boolean> {
    const heard = new Promise<void>((resolve) => {
      this.#wake = resolve
      if (this.#isHinted) resolve()
    })
    const isHeard = await raced(heard, longestMs, signal)
    if (isHeard && !signal.aborted) await raced(new Promise(() => undefined), gatherMs, signal)
    this.#isHinted = false
    this.#wake = undefined
    return !signal.aborted
  }

  end(): void {
    this.watch([])
  }
}

/** @returns whether `heard` was first. */
async function raced(heard: Promise<void>, longestMs: number, signal: AbortSignal): Promise<boolean> {
  let stop = () => undefined as void
  const over = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, longestMs)
    const abort = () => resolve()
    signal.addEventListener('abort', abort)
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    if (signal.aborted) resolve()
  })
  const isHeard = await Promise.race([heard.then(() => true), over.then(() => false)])
  stop()
  return isHeard
}
