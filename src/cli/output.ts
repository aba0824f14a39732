import { writeSync } from 'node:fs'
import type { CommonOptions } from './command.ts'
import { manyLines, oneLine } from './plain-text.ts'

/** Prints a result: as JSON where it was asked for, otherwise the lines that `text` makes of it. */
export function print<Result>(
  options: CommonOptions,
  result: Result,
  text: (result: Result) => string,
): void {
  const output = options.json ? JSON.stringify(result, null, 2) : manyLines(text(result))
  if (output !== '') writeOut(`${output}\n`)
}

let streams = false

/**
 * Writes to the standard output without making a stream of it, which costs as much as a whole step. What the
 * file descriptor does not take at once (a pipe that is full, a reader that went away) is the stream's to handle.
 */
export function writeOut(text: string): void {
  let rest = Buffer.from(text)
  try {
    if (!streams) while (rest.length > 0) rest = rest.subarray(writeSync(1, rest))
  } catch {
    streams = true
  }
  if (rest.length > 0) process.stdout.write(rest)
}

/** Says something that is no result, for people. */
export function note(options: CommonOptions, line: string): void {
  if (!options.quiet) process.stderr.write(`${oneLine(line)}\n`)
}

/** Rows as aligned columns; the last column is as long as it wants. */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map(oneLine))
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The beginning of a text that fits into so many columns of a terminal; wide characters take two. */
export function clip(text: string, columns: number): string {
  let used = 0
  let clipped = ''
  for (const character of text) {
    used += (character.codePointAt(0) ?? 0) >= 0x1100 && !/[\u2000-\u2bff]/.test(character) ? 2 : 1
    if (used > columns) break
    clipped += character
  }
  return clipped
}
