/**
 * How each Markdown block looks where it starts (CommonMark 0.31, GFM tables). Every function takes the line
 * from its first character that is not a space. No expression here repeats a group without a bound, so a line
 * of megabytes costs time in proportion to its length.
 */

export interface FenceStart {
  character: string
  length: number
  info: string
}

export function fenceStart(rest: string): FenceStart | undefined {
  const match = /^(`{3,})([^`]*)$|^(~{3,})(.*)$/.exec(rest)
  if (match === null) return undefined
  const run = match[1] ?? match[3] ?? ''
  return { character: rest.charAt(0), length: run.length, info: (match[2] ?? match[4] ?? '').trim() }
}

export function closesFence(rest: string, fence: FenceStart): boolean {
  let length = 0
  while (rest[length] === fence.character) length += 1
  return length >= fence.length && rest.slice(length).trim() === ''
}

export function atxHeading(rest: string): { level: number; text: string } | undefined {
  const match = /^(#{1,6})(?: |$)/.exec(rest)
  if (match === null) return undefined
  const level = match[1]?.length ?? 1
  const text = rest.slice(level).trim()
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  const closed = end < text.length && (end === 0 || text[end - 1] === ' ')
  return { level, text: closed ? text.slice(0, end).trim() : text }
}

/** The level that an underline gives to the paragraph above it. */
export function setextLevel(rest: string): 1 | 2 | undefined {
  const run = rest.trimEnd()
  if (/^=+$/.test(run)) return 1
  return /^-+$/.test(run) ? 2 : undefined
}

export function isThematicBreak(rest: string): boolean {
  const character = rest.charAt(0)
  if (character !== '-' && character !== '*' && character !== '_') return false
  let count = 0
  for (const each of rest) {
    if (each === character) count += 1
    else if (each !== ' ') return false
  }
  return count >= 3
}

export interface ListMarker {
  marker: '-' | '*' | '+' | '.' | ')'
  /** Characters of the marker itself. */
  length: number
  /** The number of an ordered item. */
  start: number | undefined
  /** Nothing stands behind the marker on its line. */
  empty: boolean
  /** Spaces between the marker and the content that belong to the marker. */
  padding: number
}

export function listMarker(rest: string): ListMarker | undefined {
  const match = /^(?:([-+*])|(\d{1,9})([.)]))(?= |$)/.exec(rest)
  if (match === null) return undefined
  const length = match[0].length
  const content = rest.slice(length)
  const empty = content.trim() === ''
  const spaces = content.length - content.trimStart().length
  return {
    marker: (match[1] ?? match[3]) as ListMarker['marker'],
    length,
    start: match[2] === undefined ? undefined : Number(match[2]),
    empty,
    padding: empty || spaces > 4 ? 1 : spaces,
  }
}

/** `[^label]:` and the spaces behind it, with the caret as part of the label. */
export function footnoteStart(rest: string): { label: string; length: number } | undefined {
  const match = /^\[(\^[^\]\s]{1,999})\]: */.exec(rest)
  return match === null ? undefined : { label: match[1] ?? '', length: match[0].length }
}

/** The cells of a table row, raw; a pipe behind a backslash is text. */
export function tableCells(rest: string): string[] {
  const row = rest.trim()
  const cells: string[] = []
  let from = row.startsWith('|') ? 1 : 0
  for (let at = from; at < row.length; at += 1) {
    if (row[at] === '\\') at += 1
    else if (row[at] === '|') {
      cells.push(row.slice(from, at).trim())
      from = at + 1
    }
  }
  if (from < row.length) cells.push(row.slice(from).trim())
  return cells
}

/** The number of columns that a delimiter row (`| --- | :-: |`) declares. */
export function delimiterColumns(rest: string): number | undefined {
  if (!/^[-:| ]+$/.test(rest)) return undefined
  const cells = tableCells(rest)
  return cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell)) ? cells.length : undefined
}
