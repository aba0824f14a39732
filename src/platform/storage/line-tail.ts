import { fstatSync, readSync } from 'node:fs'
import { ifPlain } from './plain-file.ts'

/** So much is read at once, in bytes: the rest comes with the next look. A longer line is passed over. */
const mostAtOnce = 8 * 1_048_576
/** Of what is further behind than this, in bytes, only the end is read. */
const mostBehind = 16 * mostAtOnce

/** The lines of a file as they are added; a file that was begun anew is read from its beginning. */
export class LineTail {
  readonly #file: string
  #inode = 0
  #at: number
  #rest = Buffer.alloc(0)
  /** Whether what comes up to the next line's end is a part of a line that is passed over. */
  #isWithin = false

  /** @param from the byte from which on lines are read. */
  constructor(file: string, from = 0) {
    this.#file = file
    this.#at = from
  }

  /** Whole lines that were added since the last time, without empty ones; none where there is no plain file. */
  read(): string[] {
    return ifPlain(this.#file, (descriptor) => this.#readOn(descriptor)) ?? []
  }

  /** The same until the present end of the file. */
  readAll(): string[] {
    const lines: string[] = []
    for (let [before, at] = [-1, this.#at]; at > before; [before, at] = [at, this.#at])
      for (const line of this.read()) lines.push(line)
    return lines
  }

  #begin(at: number, isWithin: boolean): void {
    this.#at = at
    this.#rest = Buffer.alloc(0)
    this.#isWithin = isWithin
  }

  #readOn(descriptor: number): string[] {
    const { ino, size } = fstatSync(descriptor)
    if ((this.#inode !== 0 && ino !== this.#inode) || size < this.#at) this.#begin(0, false)
    if (size - this.#at > mostBehind) this.#begin(size - mostAtOnce, true)
    this.#inode = ino
    const bytes = Buffer.alloc(Math.min(mostAtOnce, size - this.#at))
    const length = readSync(descriptor, bytes, 0, bytes.length, this.#at)
    this.#at += length
    const all = Buffer.concat([this.#rest, bytes.subarray(0, length)])
    const end = all.lastIndexOf(10) + 1
    const isTooLong = all.length - end > mostAtOnce
    this.#rest = isTooLong ? Buffer.alloc(0) : Buffer.from(all.subarray(end))
    const lines = all.subarray(0, end).toString('utf8').split('\n')
    // the first is the end of the one that is passed over
    if (this.#isWithin && end > 0) lines.shift()
    this.#isWithin = isTooLong || (this.#isWithin && end === 0)
    return lines.filter((line) => line !== '')
  }
}
