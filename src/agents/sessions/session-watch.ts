import type { AgentReport, Usage } from './session-reports.ts'
import type { SessionEnd } from './session-record.ts'

/** Why a session is stopped because of what its agent says, or does not say. */
export type Reason = Extract<
  SessionEnd['cause'],
  'limited' | 'refused' | 'unavailable' | 'overflowed' | 'silent' | 'over-budget'
>

/** What an agent complains of, by what its session ends for. */
const complaints: Readonly<Partial<Record<AgentReport['kind'], Reason>>> = {
  limit: 'limited',
  refusal: 'refused',
  unavailable: 'unavailable',
  overflow: 'overflowed',
}

/** Timers hold no more. */
const longestMs = 2 ** 31 - 1

interface Bounds {
  /** Milliseconds that the agent may say nothing; undefined for one that need not say anything. */
  readonly silenceMs: number | undefined
  /** Whether what the agent used up is more than it may. */
  readonly isOver: (usage: Usage) => boolean
  /** Milliseconds that the session may take; undefined for any. */
  readonly timeMs: number | undefined
}

/** Listens to a session for a reason to stop it; silence and time count from the first `heard`. */
export class SessionWatch {
  readonly reason: Promise<Reason>
  readonly #bounds: Bounds
  #settle: (reason: Reason) => void = () => undefined
  #silence: NodeJS.Timeout | undefined
  #isResting = false
  #time: NodeJS.Timeout | undefined

  constructor(bounds: Bounds) {
    this.#bounds = bounds
    this.reason = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** The agent said something. */
  heard(): void {
    const { silenceMs, timeMs } = this.#bounds
    if (timeMs !== undefined)
      this.#time ??= setTimeout(() => this.#settle('over-budget'), Math.min(timeMs, longestMs))
    clearTimeout(this.#silence)
    if (silenceMs === undefined || this.#isResting) return
    this.#silence = setTimeout(() => this.#settle('silent'), silenceMs)
  }

  /** The agent has nothing to say until it is asked again. */
  rest(): void {
    this.#isResting = true
    clearTimeout(this.#silence)
  }

  /** It is asked again. */
  wake(): void {
    this.#isResting = false
    this.heard()
  }

  reported(report: AgentReport): void {
    const complaint = complaints[report.kind]
    if (complaint !== undefined) this.#settle(complaint)
    if (report.kind === 'usage' && this.#bounds.isOver(report.usage)) this.#settle('over-budget')
  }

  end(): void {
    clearTimeout(this.#silence)
    clearTimeout(this.#time)
  }
}
