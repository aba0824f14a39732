import { availableParallelism } from 'node:os'

/** An agent with its tools takes about so much memory, in bytes: twelve took 7.3 GB. */
const bytesOfAgent = 700 * 1024 * 1024

/** How many agents this machine can run at once: a core and 700 MB of free memory for each, and one at least. */
export function usualSlots(): number {
  return Math.max(1, Math.min(availableParallelism(), Math.floor(process.availableMemory() / bytesOfAgent)))
}

interface Waiting {
  readonly rank: number
  readonly begin: () => void
}

/** How many agents may run at once; who asked first begins first, but for coordinators, on whom others wait. */
export class Slots {
  #free: number
  #waiting: Waiting[] = []

  /** @param count at least 1. */
  constructor(count: number) {
    this.#free = count
  }

  /**
   * Waits for a slot.
   * @param isUrgent whether it goes before others that wait.
   * @param signal ends the wait.
   * @param onWait told where no slot is free.
   * @returns how to give it back, which may be called again; undefined where the wait was ended.
   */
  async take(isUrgent: boolean, signal: AbortSignal, onWait: () => void): Promise<(() => void) | undefined> {
    if (signal.aborted) return undefined
    if (this.#free > 0) this.#free -= 1
    else {
      onWait()
      if (!(await this.#wait(isUrgent ? 0 : 1, signal))) return undefined
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next.begin()
    }
  }

  #wait(rank: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        resolve(false)
      }
      const waiting: Waiting = {
        rank,
        begin: () => {
          signal.removeEventListener('abort', leave)
          resolve(true)
        },
      }
      signal.addEventListener('abort', leave, { once: true })
      const place = this.#waiting.findIndex((other) => other.rank > rank)
      this.#waiting.splice(place < 0 ? this.#waiting.length : place, 0, waiting)
    })
  }
}
