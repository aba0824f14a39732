import { isUtf8 } from 'node:buffer'

/** Shorter texts are not kept: to compare one costs as much as to decode it. */
const leastBytes = 65_536
/** Largest buffer that is shared, in bytes; a larger file is read into a buffer of its own. */
const mostRoom = 8 * 1024 * 1024
/** At most how many texts are kept; few, because no text is needed any more once its document has changed. */
const most = 4

interface Large {
  readonly bytes: Buffer
  readonly text: string
}

/** The large texts that were read or written last, the latest first; nobody may change their bytes. */
let known: readonly Large[] = []

function remember(large: Large): void {
  known = [large, ...known.filter((other) => other !== large)].slice(0, most)
}

let room = Buffer.alloc(0)

/** A buffer to read a file into. From 64 KiB to 8 MiB it is shared: valid only until the next call. */
export function roomFor(bytes: number): Buffer {
  if (bytes < leastBytes || bytes > mostRoom) return Buffer.allocUnsafe(bytes)
  if (room.length < bytes) room = Buffer.allocUnsafe(2 * bytes)
  return room.subarray(0, bytes)
}

/** A text's bytes in UTF-8, not to be changed: those of a large text are kept, and given again for it. */
export function bytesOf(text: string): Buffer {
  if (text.length < leastBytes) return Buffer.from(text)
  const large = known.find((other) => other.text === text) ?? { bytes: Buffer.from(text), text }
  remember(large)
  return large.bytes
}

/**
 * The text of bytes; undefined where they are not UTF-8. Large bytes that are equal to kept ones are not
 * decoded again: the result is the kept text.
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
