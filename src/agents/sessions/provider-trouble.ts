import { presentMs } from '../../protocol/clock.ts'
import type { Ending } from './next-action.ts'

/** How long a provider may fail, where the launch says nothing, in milliseconds. */
const defaultPatienceMs = 3_600_000
/** The first wait for a provider that fails, and the longest: it doubles each time; in milliseconds. */
const [firstWaitMs, longestWaitMs] = [2000, 300_000]

/** Since when the provider of a launch's agent fails, and how long it may. */
export class ProviderTrouble {
  readonly #patienceMs: number
  #since: number | undefined
  #times = 0

  constructor(patienceMs: number = defaultPatienceMs) {
    this.#patienceMs = patienceMs
  }

  /** Notes how a session ended; one that only forgot its own session says nothing of the provider. */
  after(ending: Ending, progressed: boolean): void {
    if (progressed || (ending !== 'forgot' && ending !== 'unavailable')) {
      this.#since = undefined
      this.#times = 0
    }
    if (ending !== 'unavailable') return
    this.#since ??= presentMs()
    this.#times += 1
  }

  /** Whether it may still be waited for. */
  get isBearable(): boolean {
    return this.#since !== undefined && presentMs() - this.#since < this.#patienceMs
  }

  /** When it is tried again, in milliseconds since 1970: not all teams at the same time, and ever later. */
  nextTry(): number {
    const longest = Math.min(longestWaitMs, firstWaitMs * 2 ** (this.#times - 1))
    const wait = (longest / 2) * (1 + Math.random())
    return Math.min(presentMs() + wait, (this.#since ?? presentMs()) + this.#patienceMs)
  }

  /** `3 times in 0.1 minutes` */
  inWords(): string {
    const minutes = ((presentMs() - (this.#since ?? presentMs())) / 60_000).toFixed(1)
    return `${this.#times} times in ${minutes} minutes`
  }
}
