import { writeSync } from 'node:fs'
import { columnsOf, manyLines, oneLine } from './plain-text.ts'
import type { CommonOptions } from './declare-command.ts'
import { sayOnError } from './live-lines.ts'

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

/**
 * Resolves when what was written to the standard output is out. Where that fails it never does: the process ends
 * then, with words of its own.
 */
export function isOut(): Promise<void> {
  if (!streams) return Promise.resolve()
  return new Promise((resolve) => {
    process.stdout.write('', (error) => {
      if (!error) resolve()
    })
  })
}

/** Says something that is no result, for people. */
export function note(options: CommonOptions, line: string): void {
  if (!options.quiet) sayOnError(oneLine(line))
}

/** More lines than anybody reads at once. */
const mostShown = 200

/** Lines of what is wrong, and how many more there are: `--json` gives all. */
export function shortened(lines: readonly string[]): string {
  const rest = lines.length - mostShown
  return [...lines.slice(0, mostShown), ...(rest > 0 ? [`and ${rest} more; --json gives all`] : [])].join(
    '\n',
  )
}

/** Rows without the columns in which none of them has anything. */
export function withoutEmptyColumns(rows: readonly (readonly string[])[]): string[][] {
  const columns = (rows[0] ?? []).map((_, at) => at).filter((at) => rows.some((row) => row[at] !== ''))
  return rows.map((row) => columns.map((at) => row[at] ?? ''))
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

/**
 * A line as lines of at most so many columns, all but the first indented. It is broken at blanks, and a word
 * that is too long for a line, as paths are, behind a `/`.
 */
export function wrap(line: string, columns: number, indent: number): string[] {
  const pad = ' '.repeat(Math.min(indent, Math.floor(columns / 2)))
  const lines: string[] = []
  let rest = line.trimStart()
  let present = line.slice(0, line.length - rest.length)
  let isEmpty = true
  while (rest !== '') {
    const [word = ''] = /^\S+/.exec(rest) ?? []
    const [gap = ''] = /^\s*/.exec(rest.slice(word.length)) ?? []
    const room = columns - columnsOf(present)
    if (columnsOf(word) <= room) {
      present += word + gap
      rest = rest.slice(word.length + gap.length)
      isEmpty = false
      continue
    }
    // a word that would fit on a line of its own gets one
    const part = isEmpty || columnsOf(word) > columns - pad.length ? beginningOf(word, room, isEmpty) : ''
    lines.push((present + part).trimEnd())
    rest = rest.slice(part.length)
    present = pad
    isEmpty = true
  }
  return present.trim() === '' ? lines : [...lines, present.trimEnd()]
}

/** The part of a long word that fits, up to a `/`; where there is none it is cut only if it must be. */
function beginningOf(word: string, room: number, isForced: boolean): string {
  const fitting = clip(word, Math.max(1, room))
  const upTo = fitting.lastIndexOf('/') + 1
  return upTo > 1 ? fitting.slice(0, upTo) : isForced ? fitting : ''
}

/** The beginning of a text that fits into so many columns of a terminal; wide characters take two. */
export function clip(text: string, columns: number): string {
  let used = 0
  let clipped = ''
  for (const character of text) {
    used += columnsOf(character)
    if (used > columns) break
    clipped += character
  }
  return clipped
}
