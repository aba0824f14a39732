import { closeSync, fdatasyncSync, fstatSync, readSync, writeSync } from 'node:fs'
import path from 'node:path'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { disk, isPowerSafe } from './disk.ts'
import { readOutside } from './outside-file.ts'
import { openPlain } from './plain-file.ts'
import { largestText } from './without-links.ts'
import { naming } from './system-error.ts'

/** A line that is no JSON: the writer was killed in the middle of it, or somebody edited the file. */
interface BadLine {
  /** Counted from 1. */
  readonly line: number
  readonly text: string
  readonly reason: string
}

export interface LogContent {
  /** What was appended, in order. */
  readonly values: unknown[]
  readonly bad: BadLine[]
}

/** The same with the lines on which the values stand, counted from 1. */
export interface NumberedContent {
  readonly entries: readonly { readonly line: number; readonly value: unknown }[]
  readonly bad: BadLine[]
}

/**
 * Appends one value to a log of JSON lines, whole, whoever else is appending; durable before it returns.
 * What a killed writer left of a line stays there as a line of its own.
 * @param value must be an object, because half of one is never valid JSON.
 * @throws {NotPlainFileError} when something else lies there; the file system's error when there is no such folder,
 * no permission or no space.
 */
export function appendLine(file: string, value: object): void {
  const line = `${JSON.stringify(value)}\n`
  // a pipe would swallow the line, or wait for a reader for ever
  const descriptor = openPlain(file, 'append', { largestBytes: Infinity })
  try {
    let before: number
    do {
      before = fstatSync(descriptor).size
      const last = readFrom(descriptor, Math.max(0, before - 1), before)
      // one write in append mode is never interleaved with another; after a torn line it starts afresh
      const bytes = Buffer.from(last.length === 0 || last.equals(newline) ? line : `\n${line}`)
      const written = naming(file, () => writeSync(descriptor, bytes))
      // the second write says why the first was short; one that fits after all is looked at like any other
      if (written < bytes.length) naming(file, () => writeSync(descriptor, bytes.subarray(written)))
      // another writer may have been killed in the middle of its line since the look at the last byte
    } while (!standsAlone(descriptor, before, line))
    if (isPowerSafe()) naming(file, () => fdatasyncSync(descriptor))
    if (before === 0) disk.syncDirectory(path.dirname(path.resolve(file)))
  } finally {
    closeSync(descriptor)
  }
}

const newline = Buffer.from('\n')

function readFrom(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from)
  let length = 0
  for (;;) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, from + length)
    length += count
    if (count === 0 || length === bytes.length) return bytes.subarray(0, length)
  }
}

function standsAlone(descriptor: number, before: number, line: string): boolean {
  const since = readFrom(descriptor, Math.max(0, before - 1), fstatSync(descriptor).size)
  return (before === 0 && since.indexOf(line) === 0) || since.includes(`\n${line}`)
}

/**
 * Reads a log of JSON lines; nothing where there is no such file. One bad line does not hide the others.
 * @throws {CorruptDocumentError} when it is no regular file, may not be read, or is longer than any text.
 */
export function readLines(file: string): LogContent {
  const { entries, bad } = readNumberedLines(file)
  return { values: entries.map(({ value }) => value), bad }
}

/** The same with the numbers of the lines. */
export function readNumberedLines(file: string): NumberedContent {
  const outside = readOutside(file, { largestBytes: largestText, followLinks: false, anyBytes: true })
  if (outside.kind === 'fault') throw new CorruptDocumentError(file, outside.fault)
  const entries: { line: number; value: unknown }[] = []
  const bad: BadLine[] = []
  for (const [index, text] of (outside.kind === 'text' ? outside.text : '').split('\n').entries()) {
    if (text.trim() === '') continue
    try {
      entries.push({ line: index + 1, value: JSON.parse(text) })
    } catch (error) {
      bad.push({ line: index + 1, text, reason: (error as Error).message })
    }
  }
  return { entries, bad }
}
