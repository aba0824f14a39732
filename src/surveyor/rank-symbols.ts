import type { SymbolFact } from './facts.ts'
import { holds } from './focus-terms.ts'
import type { Weights } from './focus-terms.ts'
import type { SurveyedFile } from './surveyed-file.ts'
import { stem, stemsOf, wordsOf } from './word-stems.ts'

export interface FocusedSymbol {
  path: string
  symbol: SymbolFact
  score: number
}

/** A file with the lines on which each word stands. */
interface Searched {
  file: SurveyedFile
  score: number
  named: boolean
  lines: ReadonlyMap<string, readonly number[]>
}

/**
 * Symbols by the words they hold in name, comment and body. What does something answers more than what names
 * something, a whole class less than its methods, and a getter of a line hardly at all.
 */
export function rankSymbols(
  files: readonly Searched[],
  known: readonly Weights[],
  source: (path: string) => string,
): FocusedSymbol[] {
  const calls = countCalls(files.map(({ file }) => source(file.path)))
  const best = files[0]?.score ?? 1
  const whole = known.reduce((sum, { weight }) => sum + weight, 0)
  const found = files.flatMap(({ file, lines, score, named }) => {
    const symbols = file.facts.code?.symbols ?? []
    const owners = new Set(symbols.map(({ owner }) => owner))
    return symbols.map((symbol): FocusedSymbol => {
      const names = new Set(wordsOf(symbol.name).map(stem))
      const docs = stemsOf(symbol.doc ?? '')
      let own = 0
      let matched = 0
      for (const { term, weight } of known) {
        const body = (lines.get(term.word) ?? []).filter(
          (line) => line >= symbol.from && line <= symbol.end,
        ).length
        const isExact = symbol.name === term.word
        const parts =
          (isExact ? 30 : holds(names, term) ? 5 : 0) +
          (holds(docs, term) ? 3 : 0) +
          Math.min(4, 1.5 * Math.log2(1 + body))
        own += weight * parts
        if (parts > 0) matched += weight
      }
      const base =
        named && known.length === 0
          ? 1 + (symbol.exported ? 2 : 0) + (symbol.doc === undefined ? 0 : 1)
          : whole === 0
            ? 0
            : own * (0.3 + (0.7 * matched) / whole)
      return {
        path: file.path,
        symbol,
        score:
          base *
          substanceOf(symbol, owners.has(symbol.name)) *
          // What the code itself calls often is what it turns on.
          (0.6 + Math.min(0.8, Math.log2(1 + (calls.get(symbol.name) ?? 0)) / 5)) *
          (symbol.exported ? 1.3 : 1) *
          (0.5 + (0.5 * Math.min(score, best)) / best),
      }
    })
  })
  return found
    .filter(({ score }) => score > 0)
    .toSorted(
      (a, b) =>
        b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.symbol.line - b.symbol.line),
    )
}

/** How often each name is called in some texts. */
function countCalls(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts)
    for (const [, name = ''] of text.matchAll(/([A-Za-z_$][\w$]*)\s*\(/g))
      counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function substanceOf(symbol: SymbolFact, hasMethods: boolean): number {
  const length = symbol.end - symbol.line + 1
  if (/^(?:constant|variable|type|interface|enum)$/.test(symbol.kind)) return 0.4
  // To be made, shown or compared is what everything does.
  if (/^(?:__\w+__|constructor|toString)$/.test(symbol.name)) return 0.3
  if (/^(?:get|set|is|has)(?:_|[A-Z])/.test(symbol.name)) return 0.45
  if (hasMethods && length > 40) return 0.3
  return length <= 1 ? 0.3 : length <= 4 ? 0.6 : 1
}
