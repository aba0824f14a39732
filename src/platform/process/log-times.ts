import { closeSync, fstatSync, ftruncateSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { NotPlainFileError } from '../../errors/document-errors.ts'
import { refuseNewer } from '../../errors/newer-format.ts'
import { readOutside } from '../storage/outside-file.ts'
import { openPlain, writeAt } from '../storage/plain-file.ts'
import { isSystemError } from '../storage/system-error.ts'
import type { Cut } from './bounded-log.ts'

/** The size that a log had at a time. */
export interface LogTime {
  /** In milliseconds since the epoch. */
  readonly at: number
  readonly bytes: number
}

/** How often the size of a growing log is noted, in milliseconds. */
const grainMs = 1000
/**
 * Most notes of a log. Beyond, every second one is dropped, and from then on notes are made half as often: so
 * the file stays at about 400 KB.
 */
const mostNotes = 20_000
/** A larger file is not read, in bytes: fed writes none. */
const largestBytes = 64 * 1024 * 1024

/** The first line of the file. */
const FORMAT = 'fed-log-times-1'

/**
 * The file that says when a session's log grew: `.fed/sessions/<mission>-<number>.times`. Behind the first
 * line it holds lines `<milliseconds since the epoch> <bytes of the log>`.
 */
export function timesFile(
  dir: string,
  { mission, number }: { readonly mission: number; readonly number: number },
): string {
  return path.join(dir, `${mission}-${number}.times`)
}

/** Notes when a log grew, about once a second. Where notes cannot be written the agent goes on without. */
export class LogTimes {
  readonly #file: string
  readonly #most: number
  #descriptor: number | undefined
  #size = 0
  #notes: LogTime[] = []
  #grainMs = grainMs
  #last: LogTime = { at: 0, bytes: 0 }

  constructor(file: string, most = mostNotes) {
    this.#file = file
    this.#most = most
  }

  /** @param bytes how many were appended just now. */
  grew(bytes: number, at = Date.now()): void {
    const isDue = Math.abs(at - (this.#notes.at(-1)?.at ?? 0)) >= this.#grainMs
    // what came before a silence has the time before it
    if (isDue) this.#note()
    this.#last = { at, bytes: this.#last.bytes + bytes }
    if (isDue) this.#note()
  }

  /** Moves the sizes that were noted to where their places in the log are after it was cut. */
  cut({ from, to, end }: Cut): void {
    const moved = ({ at, bytes }: LogTime): LogTime => {
      if (bytes <= from) return { at, bytes }
      return { at, bytes: bytes < to ? end : bytes - to + end }
    }
    this.#last = moved(this.#last)
    this.#notes = this.#notes.map(moved)
    this.#rewrite()
  }

  end(): void {
    this.#note()
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
  }

  #note(): void {
    const { bytes } = this.#last
    if (bytes === (this.#notes.at(-1)?.bytes ?? 0)) return
    this.#notes.push(this.#last)
    if (this.#notes.length <= this.#most) return this.#write(lineOf(this.#last))
    this.#grainMs *= 2
    const { length } = this.#notes
    this.#notes = this.#notes.filter((_, index) => index === length - 1 || index % 2 === 0)
    this.#rewrite()
  }

  #rewrite(): void {
    this.#size = 0
    this.#write(this.#notes.map(lineOf).join(''))
  }

  /** Writes at `#size`, and cuts off whatever the file holds behind. */
  #write(text: string): void {
    // a full disk, of which the log itself says, or something else under its name: then there are no times
    unless([isSystemError, NotPlainFileError], () => {
      this.#descriptor ??= openPlain(this.#file, 'write')
      const bytes = Buffer.from(this.#size === 0 ? `${FORMAT}\n${text}` : text)
      writeAt(this.#file, this.#descriptor, bytes, this.#size)
      this.#size += bytes.length
      if (fstatSync(this.#descriptor).size > this.#size) ftruncateSync(this.#descriptor, this.#size)
    })
  }
}

function lineOf({ at, bytes }: LogTime): string {
  return `${at} ${bytes}\n`
}

/**
 * The notes of a file, in the order in which they were made; empty where there is no such file.
 * @throws {NewerFormatError}
 */
export function readLogTimes(file: string): LogTime[] {
  const outside = readOutside(file, { largestBytes, followLinks: false })
  if (outside.kind !== 'text') return []
  const [format, ...lines] = outside.text.split('\n')
  refuseNewer(file, format, FORMAT)
  if (format !== FORMAT) return []
  return lines.flatMap((line) => {
    const [, at, bytes] = /^(\d{1,15}) (\d{1,15})$/.exec(line) ?? []
    return at === undefined ? [] : [{ at: Number(at), bytes: Number(bytes) }]
  })
}

/** How many bytes the log had at a moment, which is in milliseconds since the epoch. */
export function bytesAt(times: readonly LogTime[], moment: number): number {
  return times.findLast(({ at }) => at <= moment)?.bytes ?? 0
}
