/** Why a wait ended. */
export type Cause = 'time' | 'channel' | 'ledger'

/** What comes together wakes once: time from the first ring to the end of the wait, in milliseconds. */
const gatherMs = 20

/** Wakes somebody before their time. */
export class Alarm {
  #rung: Cause | undefined
  #wake: (() => void) | undefined

  /** Ends the wait that is under way, or the next one at once. */
  ring(cause: 'channel' | 'ledger'): void {
    if (this.#rung !== 'channel') this.#rung = cause
    this.#wake?.()
  }

  /** Waits so many milliseconds at most; less when it rings or the signal aborts. */
  async next(longestMs: number, signal: AbortSignal): Promise<Cause> {
    if (this.#rung === undefined) await this.#quiet(longestMs, signal)
    else await new Promise((resolve) => setTimeout(resolve, gatherMs))
    const cause = this.#rung ?? 'time'
    this.#rung = undefined
    return cause
  }

  #quiet(longestMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        this.#wake = undefined
        resolve()
      }
      const timer = setTimeout(end, longestMs)
      signal.addEventListener('abort', end)
      this.#wake = end
      if (signal.aborted) end()
    })
  }
}
