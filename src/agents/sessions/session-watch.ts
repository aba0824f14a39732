import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
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

/** Time is looked at no more often than so, in milliseconds. */
const soonestMs = 100

/** Timers hold no more. */
const longestMs = 2 ** 31 - 1

interface Bounds {
  /** Milliseconds that the agent may say nothing; undefined for one that need not say anything. */
  readonly silenceMs: number | undefined
  /** Whether what the agent used up is more than it may. */
  readonly isOver: (usage: Usage) => boolean
  /** Milliseconds until its time is to be looked at again; 0 where it is over, undefined for any. */
  readonly timeLeft: (elapsedMs: number) => number | undefined
}

/** Listens to a session for a reason to stop it; silence and time count from the first `heard`. */
export class SessionWatch {
  readonly reason: Promise<Reason>
  readonly #bounds: Bounds
  #settle: (reason: Reason) => void = () => undefined
  #silence: NodeJS.Timeout | undefined
  #isResting = false
  #time: NodeJS.Timeout | undefined
  #began: number | undefined

  constructor(bounds: Bounds) {
    this.#bounds = bounds
    this.reason = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** The agent said something. */
  heard(): void {
    const { silenceMs } = this.#bounds
    if (this.#began === undefined) {
      this.#began = performance.now()
      this.#lookAtTime()
    }
    clearTimeout(this.#silence)
    if (silenceMs === undefined || this.#isResting) return
    this.#silence = setTimeout(() => this.#settle('silent'), silenceMs)
  }

  #lookAtTime(): void {
    const elapsed = performance.now() - (this.#began ?? 0)
    // what cannot be looked at now may be later
    const left =
      unless([FedError, isSystemError], () => this.#bounds.timeLeft(elapsed) ?? Infinity) ?? soonestMs
    if (left === Infinity) return
    if (left <= 0) return this.#settle('over-budget')
    this.#time = setTimeout(() => this.#lookAtTime(), Math.min(Math.max(left, soonestMs), longestMs))
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
    if (report.kind !== 'usage') return
    const isOver = unless([FedError, isSystemError], () => this.#bounds.isOver(report.usage))
    if (isOver === true) this.#settle('over-budget')
  }

  end(): void {
    clearTimeout(this.#silence)
    clearTimeout(this.#time)
  }
}
