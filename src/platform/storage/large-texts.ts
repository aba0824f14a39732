import { isUtf8 } from 'node:buffer'

/** Of shorter texts a comparison is no cheaper. */
const leastBytes = 65_536
/** Larger ones have memory of their own, in bytes. */
const mostRoom = 8 * 1024 * 1024
/** Texts that are kept: a document is read and written several times for each change, and then it is another. */
const most = 4

interface Large {
  readonly bytes: Buffer
  readonly text: string
}

/** What was read or written last; nobody changes its bytes. */
let known: readonly Large[] = []

function remember(large: Large): void {
  known = [large, ...known.filter((other) => other !== large)].slice(0, most)
}

let room = Buffer.alloc(0)

/** Where a file may be read to, until the next one is: a large one is mostly compared and not kept. */
export function roomFor(bytes: number): Buffer {
  if (bytes < leastBytes || bytes > mostRoom) return Buffer.allocUnsafe(bytes)
  if (room.length < bytes) room = Buffer.allocUnsafe(2 * bytes)
  return room.subarray(0, bytes)
}

/** A text's bytes in UTF-8, to be read only: of a large one that is written again they are not made again. */
export function bytesOf(text: string): Buffer {
  if (text.length < leastBytes) return Buffer.from(text)
  const large = known.find((other) => other.text === text) ?? { bytes: Buffer.from(text), text }
  remember(large)
  return large.bytes
}

/**
 * The text of bytes, undefined where they are not UTF-8. Large ones that are the same
 * as before, byte by byte, are the same text.
 */
export function textOf(bytes: Buffer): string | undefined {
  const before = bytes.length < leastBytes ? undefined : known.find((other) => other.bytes.equals(bytes))
  if (before !== undefined) {
    remember(before)
    return before.text
  }
  if (!isUtf8(bytes)) return undefined
  const text = bytes.toString('utf8')
  if (bytes.length >= leastBytes) remember({ bytes: Buffer.from(bytes), text })
  return text
}
