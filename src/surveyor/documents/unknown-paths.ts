import { isChecked } from './classify-document.ts'
import type { DocumentFacts } from './document-facts.ts'
import { PathIndex } from './path-index.ts'

/** The paths that documents name and the index does not know: git is asked which of them it ignores. */
export function unknownPaths(
  files: readonly { path: string; facts: { document?: DocumentFacts } }[],
  known: ReadonlySet<string>,
): string[] {
  const index = new PathIndex([...known], {})
  const checked = files.filter(({ path }) => isChecked(path))
  const found = checked.flatMap(({ path, facts }) =>
    (facts.document?.mentions ?? []).flatMap(({ kind, text }) => {
      if (kind !== 'path' && kind !== 'link') return []
      const written = decoded(text).split(/[#?]/)[0] ?? ''
      return written === ''
        ? []
        : index.placesOf(path, written.replace(/^\//, '')).filter((place) => !index.has(place))
    }),
  )
  return [...new Set(found)].toSorted()
}

/** The target of a link without its percent signs. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
