import type { SymbolFact } from '../facts.ts'
import { asideOf } from './aside.ts'
import type { FoundSymbol, Read, Term } from './found.ts'
import type { Held, Hit, Holding } from './held-terms.ts'
import { undoes } from './word-forms.ts'

/** Weights of the fields of a symbol: what something is called says most of what it does. */
const fields = { name: 4, owner: 1.5, doc: 2.5, file: 1.2, folders: 0.5 } as const

/** Scores every symbol of the project that holds a term, in the order of the files. */
export function rankSymbols(texts: readonly Read[], terms: readonly Term[], held: Holding): FoundSymbol[] {
  const whole = terms.reduce((sum, { weight }) => sum + weight, 0)
  const lengths = texts.flatMap(({ file }) =>
    (file.facts.code?.symbols ?? []).map(({ line, end }) => end - line + 1),
  )
  const usual = lengths.reduce((sum, one) => sum + one, 0) / Math.max(1, lengths.length)
  const found: FoundSymbol[] = []
  const asked = terms.map(({ base }) => base)
  for (const { file, hits, name, folders } of texts) {
    if (file.role !== 'source') continue
    const symbols = file.facts.code?.symbols ?? []
    const owners = new Set(symbols.map(({ owner }) => owner))
    const aside = asideOf(file.path, asked)
    for (const symbol of symbols) {
      const own: Record<keyof typeof fields, Held> = {
        name: held.text(symbol.name),
        owner: held.text(symbol.owner ?? ''),
        doc: held.text(symbol.doc ?? ''),
        file: name,
        folders,
      }
      const body = heldBy(symbol, hits, terms.length)
      const longer = 0.4 + (0.6 * (symbol.end - symbol.line + 1)) / usual
      let score = 0
      let matched = 0
      for (const [at, { weight }] of terms.entries()) {
        const often =
          Object.entries(fields).reduce(
            (sum, [field, share]) => sum + share * (own[field as keyof typeof own][at] ?? 0),
            0,
          ) +
          (body[at] ?? 0) / longer
        const best = Math.max(own.name[at] ?? 0, own.doc[at] ?? 0, Math.min(1, body[at] ?? 0))
        score += (weight * often) / (often + 2)
        matched += weight * best
      }
      if (matched === 0) continue
      found.push({
        path: file.path,
        symbol,
        score:
          score *
          (0.1 + (0.9 * matched) / whole) *
          aside *
          substanceOf(symbol, owners.has(symbol.name)) *
          (undoes(symbol.name, asked) ? 0.4 : 1),
      })
    }
  }
  return found
}

/** How often the lines of a symbol hold each term, each time by its nearness. */
function heldBy({ from, end }: SymbolFact, hits: readonly Hit[], terms: number): number[] {
  const body = Array.from({ length: terms }, () => 0)
  // the hits stand in the order of their lines
  let [low, high] = [0, hits.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hits[middle]?.line ?? 0) < from) low = middle + 1
    else high = middle
  }
  for (let hit = hits[low]; hit !== undefined && hit.line <= end; hit = hits[++low])
    body[hit.term] = (body[hit.term] ?? 0) + hit.near
  return body
}

/** How much a symbol says: what does something more than what names something. */
export function substanceOf({ kind, name, line, end }: SymbolFact, hasMethods: boolean): number {
  const length = end - line + 1
  if (/^(?:constant|variable|type|interface|enum|struct|record|property|field|module|namespace)$/.test(kind))
    return length > 4 ? 0.45 : 0.3
  if (/(?:Error|Exception|Warning)$/.test(name)) return 0.4
  // To be made, shown or compared is what everything does.
  if (/^(?:__\w+__|toString|String|equals|hashCode)$/.test(name)) return 0.4
  if (hasMethods && length > 10) return 0.5
  return length <= 1 ? 0.35 : length <= 3 ? 0.6 : 1
}
