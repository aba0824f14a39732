import type { ChildProcess } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { LogTimes } from './log-times.ts'
import { BoundedLog } from './bounded-log.ts'
import { isSystemError } from '../storage/system-error.ts'

/** How much of the standard error is kept for whoever has to say why an agent ended, in characters. */
const keptWords = 2000
/** Of a longer line only the end is kept in mind, so that an agent that never ends one fills no memory; in characters. */
const longestLine = 1_000_000
/** Time that the output has to end once every process is gone, in milliseconds: one may have left the group. */
const drainMs = 1000

/** Where it is kept, and when it grew; absolute paths. */
export interface OutputFiles {
  readonly log: string
  readonly times?: string
}

/** What a running agent prints: into its log, with its times, and line by line to whoever watches. */
export class ProcessOutput {
  readonly #log: BoundedLog
  readonly #process: ChildProcess
  readonly #closed: Promise<void>
  readonly #times: LogTimes | undefined
  #words = ''
  #isClosed = false
  #failure: unknown

  /** @param onLine gets each line; without it somebody else reads the standard output, and says what to log. */
  constructor(process: ChildProcess, { log, times }: OutputFiles, onLine?: (line: string) => void) {
    this.#process = process
    this.#log = new BoundedLog(log)
    this.#times = times === undefined ? undefined : new LogTimes(times)
    this.#closed = new Promise((resolve) => process.once('close', () => resolve()))
    if (onLine !== undefined) this.#readLines(onLine)
    const words = new StringDecoder()
    process.stderr?.on('data', (chunk: Buffer) => {
      this.write(chunk)
      this.#words = (this.#words + words.write(chunk)).slice(-keptWords)
    })
  }

  #readLines(onLine: (line: string) => void): void {
    const lines = new StringDecoder()
    let rest = ''
    this.#process.stdout?.on('data', (chunk: Buffer) => {
      this.write(chunk)
      const whole = (rest + lines.write(chunk)).split('\n')
      rest = (whole.pop() ?? '').slice(-longestLine)
      this.keeping(() => {
        for (const line of whole) if (line.trim() !== '') onLine(line)
      })
    })
  }

  /** The system's error because of which something that the process said could not be kept. */
  get failure(): unknown {
    return this.#failure
  }

  /** Appends to the log; what comes after its end is lost. */
  write(words: Buffer | string): void {
    if (this.#isClosed) return
    this.keeping(() => {
      const cuts = this.#log.write(words)
      this.#times?.grew(Buffer.byteLength(words))
      for (const cut of cuts) this.#times?.cut(cut)
    })
  }

  /** Keeps something of what the process says; where the system says no, the process is asked to end. */
  keeping(act: () => void): void {
    if (this.#failure !== undefined) return
    try {
      act()
    } catch (error) {
      if (!isSystemError(error)) throw error
      this.#failure = error
      this.#process.kill('SIGTERM')
    }
  }

  /**
   * Closes the log when everything is in it; call it when the processes are gone.
   * @returns the last words of the standard error.
   */
  async end(): Promise<string> {
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, drainMs)
    })
    await Promise.race([this.#closed, patience])
    clearTimeout(timer)
    this.#process.stdout?.destroy()
    this.#process.stderr?.destroy()
    this.#isClosed = true
    this.#log.close()
    this.#times?.end()
    return this.#words.trim()
  }
}
