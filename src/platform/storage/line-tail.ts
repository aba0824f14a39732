import { fstatSync, readSync } from 'node:fs'
import { ifPlain } from './plain-file.ts'

/** So much is read at once, in bytes: the rest comes with the next look. */
const mostAtOnce = 8 * 1_048_576

/** The lines of a file as they are added; a file that was begun anew is read from its beginning. */
export class LineTail {
  readonly #file: string
  #inode = 0
  #at: number
  #rest = Buffer.alloc(0)

  /** @param from the byte from which on lines are read. */
  constructor(file: string, from = 0) {
    this.#file = file
    this.#at = from
  }

  /** Whole lines that were added since the last time, without empty ones; none where there is no plain file. */
  read(): string[] {
    return ifPlain(this.#file, (descriptor) => this.#readOn(descriptor)) ?? []
  }

  #readOn(descriptor: number): string[] {
    const { ino, size } = fstatSync(descriptor)
    if ((this.#inode !== 0 && ino !== this.#inode) || size < this.#at) {
      this.#at = 0
      this.#rest = Buffer.alloc(0)
    }
    this.#inode = ino
    const bytes = Buffer.alloc(Math.min(mostAtOnce, size - this.#at))
    const length = readSync(descriptor, bytes, 0, bytes.length, this.#at)
    this.#at += length
    const all = Buffer.concat([this.#rest, bytes.subarray(0, length)])
    const end = all.lastIndexOf(10) + 1
    this.#rest = Buffer.from(all.subarray(end))
    return all
      .subarray(0, end)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
  }
}
