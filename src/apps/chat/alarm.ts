/** Why a wait ended. */
export type Cause = 'time' | 'channel' | 'ledger'

/** How long `next` waits after an earlier ring, so that rings close together wake once; in milliseconds. */
const gatherMs = 20

/** A wait with a longest time, which a ring ends early. */
export class Alarm {
  #rung: Cause | undefined
  #wake: (() => void) | undefined

  /** Ends the wait that is under way, or else the next one soon after it began. */
  ring(cause: 'channel' | 'ledger'): void {
    if (this.#rung !== 'channel') this.#rung = cause
    this.#wake?.()
  }

  /** Waits at most `longestMs` milliseconds, and less when it rings or the signal aborts. */
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
