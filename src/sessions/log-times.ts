import { appendFileSync, closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { readOutside } from '../storage/outside-file.ts'
import { isSystemError } from '../storage/system-error.ts'
import type { SessionRecord } from './session-record.ts'

/** The size that a log had at a time: what was printed until then. */
export interface LogTime {
  /** In milliseconds since the epoch. */
  readonly at: number
  readonly bytes: number
}

/** Between two notes, in milliseconds: what was printed in between has the time of the later one. */
const grainMs = 1000
/** A larger file is not written in a month. */
const largestBytes = 64 * 1024 * 1024

/** When a session's log grew, one line `<milliseconds> <bytes>` each: `.fed/sessions/<mission>-<number>.times`. */
export function timesFile(
  dir: string,
  { mission, number }: Pick<SessionRecord, 'mission' | 'number'>,
): string {
  return path.join(dir, `${mission}-${number}.times`)
}

/** Notes when a log grew, once a second at most. It is for whoever looks back, and stops no agent. */
export class LogTimes {
  readonly #file: string
  #descriptor: number | undefined
  #noted: LogTime = { at: 0, bytes: 0 }
  #last: LogTime = { at: 0, bytes: 0 }

  constructor(file: string) {
    this.#file = file
  }

  /** @param bytes how many were appended just now. */
  grew(bytes: number, at = Date.now()): void {
    const isDue = Math.abs(at - this.#noted.at) >= grainMs
    // what came before a silence has the time before it
    if (isDue) this.#note()
    this.#last = { at, bytes: this.#last.bytes + bytes }
    if (isDue) this.#note()
  }

  end(): void {
    this.#note()
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
  }

  #note(): void {
    const { at, bytes } = this.#last
    if (bytes === this.#noted.bytes) return
    this.#noted = this.#last
    try {
      this.#descriptor ??= openSync(this.#file, 'a')
      appendFileSync(this.#descriptor, `${at} ${bytes}\n`)
    } catch (error) {
      // a full disk: the log itself says so
      if (!isSystemError(error)) throw error
    }
  }
}

/** In the order in which they were noted; empty where nobody noted them. */
export function readLogTimes(file: string): LogTime[] {
  const outside = readOutside(file, { largestBytes, followLinks: false })
  if (outside.kind !== 'text') return []
  return outside.text.split('\n').flatMap((line) => {
    const [, at, bytes] = /^(\d{1,15}) (\d{1,15})$/.exec(line) ?? []
    return at === undefined ? [] : [{ at: Number(at), bytes: Number(bytes) }]
  })
}

/** How many bytes there were at a moment, in milliseconds since the epoch. */
export function bytesAt(times: readonly LogTime[], moment: number): number {
  return times.findLast(({ at }) => at <= moment)?.bytes ?? 0
}
