import { fstatSync, readSync } from 'node:fs'
import type { WireMessage } from '../../../engine/inspection/message.ts'
import { ifPlain } from '../../../platform/storage/plain-file.ts'

/** The lines of a wire as they are added; a wire that was begun anew is read from its beginning. */
export class WireTail {
  readonly #file: string
  #inode = 0
  #at = 0
  #rest = Buffer.alloc(0)

  constructor(file: string) {
    this.#file = file
  }

  /** What was added since the last time. A line that is no message is passed over. */
  read(): WireMessage[] {
    return ifPlain(this.#file, (descriptor) => this.#readOn(descriptor)) ?? []
  }

  #readOn(descriptor: number): WireMessage[] {
    const { ino, size } = fstatSync(descriptor)
    if (ino !== this.#inode || size < this.#at) {
      this.#inode = ino
      this.#at = 0
      this.#rest = Buffer.alloc(0)
    }
    const bytes = Buffer.alloc(Math.max(0, size - this.#at))
    const length = readSync(descriptor, bytes, 0, bytes.length, this.#at)
    this.#at += length
    const all = Buffer.concat([this.#rest, bytes.subarray(0, length)])
    const end = all.lastIndexOf(10) + 1
    this.#rest = Buffer.from(all.subarray(end))
    return all.subarray(0, end).toString('utf8').split('\n').flatMap(messageIn)
  }
}

function messageIn(line: string): WireMessage[] {
  if (line === '') return []
  try {
    const message = JSON.parse(line) as Partial<WireMessage>
    const isMessage =
      typeof message.type === 'string' &&
      typeof message.id === 'string' &&
      typeof message.fed?.team === 'string'
    return isMessage ? [message as WireMessage] : []
  } catch {
    // what a full disk left of a line
    return []
  }
}
