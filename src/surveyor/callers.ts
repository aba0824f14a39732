import type { SymbolFact } from './facts.ts'
import type { Survey } from './survey.ts'

export interface Caller {
  path: string
  line: number
  /** The function, method or class whose lines hold the use; undefined at the top level of the file. */
  within: string | undefined
  isTest: boolean
}

const escaped = (text: string): string => text.replace(/[$\\^*+?.()|[\]{}]/g, '\\$&')

/**
 * Where a symbol is used by name: in its own file and in those that depend on it. A method counts only after
 * a dot or an arrow. Comments and imports are passed over; a name is not resolved, so two methods of one name
 * cannot be told apart.
 */
export function callersOf(
  survey: Survey,
  path: string,
  symbol: SymbolFact,
  limit: number,
): { callers: Caller[]; more: number } {
  const name = escaped(symbol.name.split('::').at(-1) ?? symbol.name)
  const pattern = new RegExp(
    symbol.owner !== undefined && /\bmethod$/.test(symbol.kind)
      ? `(?:\\.|->|::|&\\.)${name}(?![\\w$])`
      : `(?<![\\w$])${name}(?![\\w$])`,
  )
  const found: Caller[] = []
  for (const file of [path, ...(survey.graph.dependents.get(path) ?? [])]) {
    const facts = survey.byPath.get(file)?.facts.code
    if (facts === undefined) continue
    const imports = new Set(facts.imports.map(({ line }) => line))
    for (const [at, text] of survey.source(file).split('\n').entries()) {
      const line = at + 1
      if (!pattern.test(text) || imports.has(line)) continue
      if (
        /^\s*(\/\/|\/?\*|#|--|"""|import\b|export\s+\{|export\s+\*|from\b.*\bimport\b|use\s|using\s|require)/.test(
          text,
        )
      )
        continue
      if (file === path && line >= symbol.from && line <= symbol.end) continue
      const holder = facts.symbols
        .filter((other) => line >= other.line && line <= other.end)
        .toSorted((a, b) => b.line - a.line || a.end - b.end)[0]
      // The declaration of the same name elsewhere is no use of it.
      if (holder?.name === symbol.name && holder.line === line) continue
      found.push({
        path: file,
        line,
        within:
          holder === undefined
            ? undefined
            : holder.owner === undefined
              ? holder.name
              : `${holder.owner}.${holder.name}`,
        isTest: survey.byPath.get(file)?.role === 'test',
      })
    }
  }
  // One line for each place that uses it, however often.
  const places = new Map<string, Caller>()
  for (const caller of found) {
    const key = `${caller.path}\0${caller.within ?? ''}`
    if (!places.has(key)) places.set(key, caller)
  }
  const all = [...places.values()].toSorted(
    (a, b) =>
      Number(a.isTest) - Number(b.isTest) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line),
  )
  return { callers: all.slice(0, limit), more: Math.max(0, all.length - limit) }
}
