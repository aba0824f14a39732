import { fstatSync, readSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { ifPlain } from '../../../platform/storage/plain-file.ts'

/** So much is read at once, in bytes: an agent may print for hours. */
const mostBytes = 262_144

/** A part of a log; in bytes. */
export interface LogPart {
  readonly from: number
  readonly to: number
  readonly size: number
  readonly text: string
}

/**
 * A part of a log, without what only a terminal understands; undefined where there is no such file.
 * @param from in bytes; below zero it is counted from the end, and the part begins with a line of its own.
 * @param until in bytes: where its end was.
 */
export function readLog(file: string, from: number, until = Infinity): LogPart | undefined {
  return ifPlain(file, (descriptor) => {
    const stat = fstatSync(descriptor)
    const size = Math.min(stat.size, until)
    // whoever knows more of it than there is saw it before its middle was left out
    const isCut = from > stat.size
    const wanted = isCut ? 0 : from < 0 ? Math.max(0, size + from) : Math.min(from, size)
    const begin = Math.max(wanted, size - mostBytes)
    const bytes = Buffer.alloc(size - begin)
    const length = readSync(descriptor, bytes, 0, bytes.length, begin)
    // a character may be written in two parts
    const whole = wholeCharacters(bytes.subarray(0, length))
    const newline = begin > 0 && begin !== from ? whole.indexOf(10) : -1
    // the end of a very long line is better than nothing
    const skipped = newline < whole.length - 1 ? newline + 1 : 0
    const text = stripVTControlCharacters(whole.subarray(skipped).toString('utf8')).replaceAll('\r\n', '\n')
    return { from: begin + skipped, to: begin + whole.length, size, text }
  })
}

/** The bytes without a character at their end that is not all there yet. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    const isStart = byte >= 0xc0
    if (!isStart && byte >= 0x80) continue
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return needs > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}
