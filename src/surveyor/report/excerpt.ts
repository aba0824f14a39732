import type { SymbolFact } from '../facts.ts'
import { code, fence } from './write-markdown.ts'
import { figure } from './wording.ts'
import type { Survey } from '../survey.ts'

const LONG_LINE = 160
const shorten = (line: string): string => (line.length > LONG_LINE ? `${line.slice(0, LONG_LINE)} …` : line)

/**
 * A symbol's own lines as a fenced block, under a caption that says where they stand and what was cut. A doc
 * comment longer than the code it explains is left to the prose.
 */
export function excerptOf(survey: Survey, path: string, symbol: SymbolFact, limit: number): string {
  const lines = survey.source(path).split(/\r?\n/)
  const start = symbol.line - symbol.from > Math.min(8, limit / 2) ? symbol.line : symbol.from
  const whole = symbol.end - start + 1
  const shown = whole <= limit * 1.5 ? whole : cutAt(lines, start, symbol, limit)
  const text = dedent(lines.slice(start - 1, start - 1 + shown).map(shorten))
  const caption =
    shown < whole
      ? `${code(`${path}:${start}`)}, the first ${figure(shown)} of ${figure(whole)} lines:`
      : `${code(`${path}:${start}`)}:`
  return `${caption}\n\n${fence(survey.byPath.get(path)?.language?.fence ?? 'text', text)}`
}

/** The first lines of a file that hold more than comments and imports. */
export function openingOf(survey: Survey, path: string, from: number, limit: number, tag = 'text'): string {
  const lines = survey.source(path).split(/\r?\n/)
  // What tools append says nothing to a reader.
  const own = lines.slice(from - 1, from - 1 + limit).filter((line) => !/sourceMappingURL=/.test(line))
  const text = dedent(own.map(shorten))
  return `${code(`${path}:${from}`)}:\n\n${fence(survey.byPath.get(path)?.language?.fence ?? (tag || 'text'), text)}`
}

/** Cuts at a blank line near the limit where there is one, so that a thought is not torn. */
function cutAt(lines: readonly string[], start: number, symbol: SymbolFact, limit: number): number {
  for (let length = limit; length > limit * 0.6; length--) {
    if (start + length - 1 > symbol.line && (lines[start - 1 + length] ?? '').trim() === '') return length
  }
  return limit
}

function dedent(lines: readonly string[]): string {
  const margins = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '')
  const margin = margins.reduce(
    (common, next) => (next.startsWith(common) ? common : common.startsWith(next) ? next : ''),
    margins[0] ?? '',
  )
  return lines.map((line) => line.slice(margin.length)).join('\n')
}
