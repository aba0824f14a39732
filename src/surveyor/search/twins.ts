import type { FoundSymbol } from './found.ts'
import { partsOf } from './word-forms.ts'

/** Parts of a name that tell one variant of a function from another. */
const variants = new Set('async sync await blocking with typed generic impl internal inner'.split(' '))

/**
 * Moves what is done in several variants behind its best one, so that what is found first is not one thing told over:
 * of one name in several places, with and without `async`, or a family such as `run`, `runTls` and `runUnix` of one
 * owner that a question meets equally. Takes and gives symbols best first.
 */
export function spread(found: readonly FoundSymbol[]): FoundSymbol[] {
  const names = new Set<string>()
  const families = new Map<string, number>()
  return found
    .map((one) => {
      const { path, symbol, score } = one
      const parts = partsOf(symbol.name.split('::').at(-1) ?? symbol.name)
      const name = parts.filter((part) => !variants.has(part)).join(' ')
      const family = `${path}\0${symbol.owner ?? ''}\0${parts[0] ?? ''}`
      const first = families.get(family)
      const isTold = (name !== '' && names.has(name)) || (first !== undefined && score >= 0.9 * first)
      names.add(name)
      if (first === undefined) families.set(family, score)
      return isTold ? { ...one, score: 0.7 * score } : one
    })
    .toSorted((a, b) => b.score - a.score)
}
