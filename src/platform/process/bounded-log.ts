import { closeSync, fstatSync, ftruncateSync, readSync } from 'node:fs'
import { openPlain, writeAt } from '../storage/plain-file.ts'

/** How much of an agent's words a session's log holds, in bytes; of what is more, the middle is left out. */
export interface LogBounds {
  /** The log is never larger. */
  readonly most: number
  /** So much of its beginning stays. */
  readonly head: number
  /** So much of its end stays whenever it is cut. */
  readonly tail: number
}

const MIB = 1_048_576
export const logBounds: LogBounds = { most: 8 * MIB, head: MIB, tail: 3 * MIB }

/** What became of the places in a log that was cut; all in bytes. */
export interface Cut {
  /** What lies before stayed where it was. */
  readonly from: number
  /** What lies from here on begins at `end` now. */
  readonly to: number
  /** Where the line ends that says what was left out. */
  readonly end: number
}

/**
 * Everything that an agent says, in a plain file of bounded size: when it is full, its middle makes room, and a line
 * there says how much was left out. One process writes it.
 */
export class BoundedLog {
  readonly #file: string
  readonly #descriptor: number
  readonly #bounds: LogBounds
  #size: number
  #leftOut = 0
  /** Where the line ends that says what was left out; 0 while nothing was. */
  #marked = 0

  /** @throws {NotPlainFileError} when something else lies there. */
  constructor(file: string, bounds = logBounds) {
    this.#file = file
    this.#bounds = bounds
    this.#descriptor = openPlain(file, 'write')
    this.#size = fstatSync(this.#descriptor).size
  }

  /**
   * Appends to it.
   * @returns how it was cut to have room for it, if it was.
   */
  write(words: Buffer | string): Cut[] {
    const bytes = Buffer.from(words)
    const cuts: Cut[] = []
    const room = this.#bounds.tail
    for (let at = 0; at < bytes.length; at += room) {
      const part = bytes.subarray(at, at + room)
      if (this.#size + part.length > this.#bounds.most) cuts.push(this.#cut())
      writeAt(this.#file, this.#descriptor, part, this.#size)
      this.#size += part.length
    }
    return cuts
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  #cut(): Cut {
    const { most, head, tail } = this.#bounds
    const begin = Math.max(this.#marked, head, this.#size - tail)
    const kept = this.#read(begin, this.#size)
    // whole lines, unless one is longer than all that is kept
    const skipped = kept.indexOf(10) + 1
    const rest = kept.subarray(skipped)
    const to = begin + skipped
    this.#leftOut += to - Math.max(this.#marked, head)
    const mark = Buffer.from(`\n[${this.#leftOut} bytes are left out here: a log holds ${most}]\n`)
    // written over what is left out before the end is taken away: a kill in between loses nothing
    writeAt(this.#file, this.#descriptor, Buffer.concat([mark, rest]), head)
    this.#marked = head + mark.length
    this.#size = this.#marked + rest.length
    ftruncateSync(this.#descriptor, this.#size)
    return { from: head, to, end: this.#marked }
  }

  #read(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(to - from)
    let length = 0
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSync(this.#descriptor, bytes, length, bytes.length - length, from + length)
    return bytes.subarray(0, length)
  }
}
