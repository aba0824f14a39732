import type { Survey } from '../survey.ts'
import type { FoundSymbol } from './found.ts'

/** Best first; of several of one name in one file the best alone, as overloads are. */
export function once(found: readonly FoundSymbol[]): FoundSymbol[] {
  const seen = new Set<string>()
  return found
    .toSorted(
      (a, b) =>
        b.score - a.score || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.symbol.line - b.symbol.line),
    )
    .filter(({ path, symbol: { owner = '', name } }) => {
      const key = `${path}\0${owner}\0${name}`
      return !seen.has(key) && seen.add(key)
    })
}

/** Carries relevance along calls: to what does the work, and to what decides that it is done. */
export function carried(survey: Survey, found: readonly FoundSymbol[]): FoundSymbol[] {
  const byName = new Map<string, FoundSymbol[]>()
  for (const one of found) {
    const name = one.symbol.name.split('::').at(-1) ?? one.symbol.name
    byName.set(name, [...(byName.get(name) ?? []), one])
  }
  const gained = new Map<FoundSymbol, number>()
  const best = found.toSorted((a, b) => b.score - a.score).slice(0, 60)
  for (const caller of best) {
    const near = new Set([caller.path, ...(survey.graph.out.get(caller.path) ?? []).map(({ to }) => to)])
    const called = new Set<FoundSymbol>()
    for (const name of calledIn(survey, caller))
      for (const one of byName.get(name) ?? [])
        if (one !== caller && (near.has(one.path) || byName.get(name)?.length === 1)) called.add(one)
    for (const one of called) {
      gained.set(one, (gained.get(one) ?? 0) + (0.15 * caller.score) / Math.sqrt(called.size))
      gained.set(caller, Math.max(gained.get(caller) ?? 0, 0.15 * one.score))
    }
  }
  return found.map((one) => ({
    ...one,
    score: one.score + Math.min(one.score, gained.get(one) ?? 0),
  }))
}

/** The names that the lines of a symbol call, in their order, each once. */
function calledIn(survey: Survey, { path, symbol }: Pick<FoundSymbol, 'path' | 'symbol'>): string[] {
  const lines = survey.source(path).split('\n').slice(symbol.line, symbol.end)
  const calls = lines.join('\n').matchAll(/([A-Za-z_$][\w$]*)\s*(?:<[^<>()]*>)?\(/g)
  return [...new Set(Array.from(calls, ([, name = '']) => name))]
}
