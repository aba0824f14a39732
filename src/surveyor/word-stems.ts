// A repository uses few words, each thousands of times.
const stems = new Map<string, string>()

/**
 * A word without the endings of grammar, so that `locked`, `locking` and `lock` meet. Rough on purpose: it
 * decides what is looked at, never what is said.
 */
export function stem(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const root = cutEndings(word.toLowerCase())
  stems.set(word, root)
  return root
}

function cutEndings(word: string): string {
  let root = word
  const cut = (pattern: RegExp, replacement = ''): boolean => {
    const shorter = root.replace(pattern, replacement)
    if (shorter === root || shorter.length < 3) return false
    root = shorter
    return true
  }
  if (!cut(/ies$/, 'y')) if (!cut(/(ss|x|z|ch|sh)es$/, '$1')) cut(/([^su])s$/, '$1')
  if (
    cut(/(?:ization|isation)$/, 'ize') ||
    cut(/ations?$/, 'ate') ||
    cut(/([^aeiou][a-z]*)(?:ing|ed)$/, '$1')
  )
    cut(/([bdfgmnprt])\1$/, '$1')
  else if (cut(/(at|it|ct|pt)(?:ors?|ion|ions|ive)$/, '$1')) cut(/at$/, 'ate')
  else cut(/([a-z]{3})(?:ers?|ment)$/, '$1')
  cut(/e$/)
  cut(/([a-z]{3})i$/, '$1y')
  return root
}

/** All parts of an identifier, single letters too: `compileETag` is compile, e, tag. */
export function partsOf(identifier: string): string[] {
  return identifier
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase())
}

/** The words of an identifier or a path: `fileLockTimeout` is file, lock, timeout. A single letter is no word. */
export const wordsOf = (identifier: string): string[] => partsOf(identifier).filter((part) => part.length > 1)

/** The stems of a text or identifier. */
export const stemsOf = (text: string): Set<string> => new Set(wordsOf(text).map(stem))
