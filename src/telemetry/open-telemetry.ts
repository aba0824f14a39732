import { CorruptDocumentError } from '../errors/document-errors.ts'
import { NewerFormatError } from '../errors/newer-format.ts'
import { isSystemError } from '../platform/storage/system-error.ts'
import type { Exportable, Exporter } from './exporter.ts'
import { nothingTaken, otlpAddress, telemetrySettings, type TelemetrySettings } from './settings.ts'

/** Time between exports after one that failed, in milliseconds. */
const afterFailureMs = 30_000
/** Longest that an export beside the work takes, in milliseconds, unless the last one may take longer. */
const besideMs = 4000
/** Longest that one beside the work reads, in milliseconds: nothing else happens meanwhile. */
const besideReadMs = 200
/** Part of its time that the last one may read; the rest is for sending. */
const lastReadPart = 0.4

/** Telemetry of one command (spec §6). It never makes the command fail. */
export interface Telemetry {
  /** Sends what is still to be sent, within the time that the settings give it. */
  close(): Promise<void>
}

/**
 * Exports a federation's metrics and traces from now on, beside the work, derived from its files. While no
 * collector listens nothing is read, written or loaded, and all of it is sent once one does.
 * @param say gets at most one line in all, about a collector that somebody named and that takes nothing.
 */
export function openTelemetry(federation: Exportable, say: (line: string) => void): Telemetry {
  const settings = telemetrySettings(federation.config.telemetry)
  return settings === undefined ? { close: async () => undefined } : new Exports(federation, settings, say)
}

class Exports implements Telemetry {
  readonly #federation: Exportable
  readonly #settings: TelemetrySettings
  readonly #say: (line: string) => void
  readonly #timer: NodeJS.Timeout
  #exporter: Exporter | undefined
  #running: Promise<void> | undefined
  /** Aborted when the command has no more time. */
  readonly #end = new AbortController()
  /** Whether somebody listened when the command began. */
  #reached: Promise<string | undefined> | undefined
  #notBefore = -Infinity
  #hasSpoken = false

  constructor(federation: Exportable, settings: TelemetrySettings, say: (line: string) => void) {
    this.#federation = federation
    this.#settings = settings
    this.#say = say
    this.#reached = this.#reach()
    this.#timer = setInterval(() => this.#exportBeside(), settings.intervalMs)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    const { timeoutMs } = this.#settings
    const until = performance.now() + timeoutMs
    const late = setTimeout(() => this.#end.abort(), timeoutMs)
    const ended = new Promise<void>((resolve) => {
      this.#end.signal.addEventListener('abort', () => resolve(), { once: true })
    })
    const last = async () => {
      await this.#running
      if (!this.#end.signal.aborted) await this.#export(until, lastReadPart * timeoutMs)
    }
    await Promise.race([last(), ended])
    clearTimeout(late)
    this.#end.abort()
  }

  #exportBeside(): void {
    if (this.#running !== undefined || performance.now() < this.#notBefore) return
    const until = performance.now() + Math.max(besideMs, this.#settings.timeoutMs)
    this.#running = this.#export(until, besideReadMs).finally(() => (this.#running = undefined))
  }

  async #export(until: number, readMs: number): Promise<void> {
    try {
      const problem = await this.#attempt(until, readMs)
      if (problem === undefined) return
      this.#notBefore = performance.now() + afterFailureMs
      if (this.#settings.isChosen) this.#tell(problem)
    } catch (error) {
      // the work counts, and telemetry tells of it when it can
      this.#notBefore = Infinity
      this.#tell(inWords(error as Error))
    }
  }

  async #attempt(until: number, readMs: number): Promise<string | undefined> {
    const { endpoint } = this.#settings
    const reached = this.#reached ?? this.#reach()
    this.#reached = undefined
    const reason = await reached
    if (reason !== undefined) return nothingTaken(endpoint, reason)
    if (this.#exporter === undefined) {
      const { Exporter: ExporterClass } = await import('./exporter.ts')
      this.#exporter = new ExporterClass(this.#federation, this.#settings)
    }
    return this.#exporter.export(until, readMs, this.#end.signal)
  }

  async #reach(): Promise<string | undefined> {
    const { unreachable } = await import('./reach.ts')
    const address = otlpAddress(this.#settings.endpoint, 'metrics')
    if (!URL.canParse(address)) return 'no URL'
    return unreachable(new URL(address), this.#end.signal)
  }

  #tell(problem: string): void {
    if (this.#hasSpoken) return
    this.#hasSpoken = true
    this.#say(`telemetry: ${problem}`)
  }
}

function inWords(error: Error): string {
  if (error instanceof NewerFormatError) return error.message
  if (error instanceof CorruptDocumentError)
    return `${error.file} is damaged (${error.reason}); without it and its folder telemetry begins anew`
  return `${isSystemError(error) ? 'it cannot keep its file' : 'unexpected'}: ${error.message}`
}
