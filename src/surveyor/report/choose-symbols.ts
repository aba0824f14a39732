import type { Focus } from '../focus.ts'
import type { FoundSymbol } from '../search/found.ts'

/** The best symbols, without a class whose methods are shown, and at most four of one file, six of the first. */
export function chooseSymbols(focus: Focus): FoundSymbol[] {
  const top = focus.symbols[0]?.score ?? 0
  const chosen: FoundSymbol[] = []
  const shown = new Set(focus.files.map(({ file }) => file.path))
  for (const found of focus.symbols) {
    if (!shown.has(found.path)) continue
    if (chosen.length >= 12 || found.score < top * 0.22) break
    const same = chosen.filter(({ path }) => path === found.path)
    const overlaps = same.some(
      ({ symbol }) => symbol.line <= found.symbol.end && found.symbol.line <= symbol.end,
    )
    // one thing done in many places alike is told twice
    if (chosen.filter(({ symbol }) => symbol.name === found.symbol.name).length >= 2) continue
    if (same.length < (found.path === focus.files[0]?.file.path ? 6 : 4) && !overlaps) chosen.push(found)
  }
  return chosen
}
