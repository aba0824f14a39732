import { asideOf } from './aside.ts'
import type { FoundFile, FoundSymbol, Read, Term } from './found.ts'

/** A file is about a question by its own name and text, and by the symbols in it; best first. */
export function rankFiles(
  texts: readonly Read[],
  terms: readonly Term[],
  symbols: readonly FoundSymbol[],
): FoundFile[] {
  const usual = texts.reduce((sum, { file }) => sum + file.facts.lines, 0) / Math.max(1, texts.length)
  const asked = terms.map(({ base }) => base)
  const best = new Map<string, number[]>()
  for (const { path, score } of symbols) {
    const own = best.get(path) ?? []
    if (own.length < 3) best.set(path, [...own, score])
  }
  return texts
    .map((text): FoundFile => {
      const { path, role } = { path: text.file.path, role: text.file.role }
      const [first = 0, second = 0, third = 0] = best.get(path) ?? []
      const score = 2 * ownScore(text, terms, usual) + first + second / 2 + third / 4
      return {
        file: text.file,
        score: role === 'source' ? score * asideOf(path, asked) : score,
        lines: linesOf(text, terms),
      }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.file.path < b.file.path ? -1 : 1))
}

/** How much a file is about the terms by its name, its folders, its opening comment and its text. */
function ownScore({ file, hits, name, folders, doc }: Read, terms: readonly Term[], usual: number): number {
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0) return 0
  const body = terms.map(() => 0)
  for (const { term, near } of hits) body[term] = (body[term] ?? 0) + near
  const longer = 0.4 + (0.6 * file.facts.lines) / Math.max(1, usual)
  let score = 0
  let matched = 0
  for (const [at, { weight }] of terms.entries()) {
    const often =
      3 * (name[at] ?? 0) + (folders[at] ?? 0) + 2 * (doc[at] ?? 0) + (0.3 * (body[at] ?? 0)) / longer
    score += (weight * often) / (often + 2)
    matched += weight * Math.max(name[at] ?? 0, folders[at] ?? 0, Math.min(1, body[at] ?? 0))
  }
  return score * (0.3 + (0.7 * matched) / whole)
}

/** The lines that hold each of the asked words; the first for a word that stands in the path alone. */
function linesOf({ hits, name, folders }: Read, terms: readonly Term[]): Map<string, number[]> {
  const lines = new Map<string, number[]>()
  for (const { line, term, near } of hits) {
    const { word, isHint } = terms[term] as Term
    if (isHint || near < 0.7) continue
    const own = lines.get(word) ?? []
    if (own.at(-1) !== line) lines.set(word, [...own, line])
  }
  for (const [at, { word, isHint }] of terms.entries())
    if (!isHint && (name[at] === 1 || folders[at] === 1) && !lines.has(word)) lines.set(word, [1])
  return lines
}
