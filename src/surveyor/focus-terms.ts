import { partsOf, stem } from './word-stems.ts'

/** A word of a mission as it is looked up. */
export interface Term {
  /** As the mission has it. */
  word: string
  /** Its parts: a word of prose has one, `SimulatedClock` has two, which must stand together. */
  stems: string[]
  /** Files that hold it anywhere; 0 when the repository does not know the word. */
  files: number
}

/** A word that the repository knows. */
export interface Weights {
  term: Term
  /** How telling the word is: rare words weigh more. */
  weight: number
  pattern: RegExp
}

/** Whether all parts of a term are among the stems of a name or a text. */
export const holds = (stems: ReadonlySet<string>, term: Pick<Term, 'stems'>): boolean =>
  term.stems.length > 0 && term.stems.every((part) => stems.has(part))

/** A word at the start of a word, also inside `camelCase` and `snake_case`; never in the middle of another. */
export function patternOf(word: string): RegExp {
  const parts = partsOf(word)
  // An identifier is meant as it stands, in whatever convention of case.
  if (parts.length > 1) return new RegExp(parts.join('[_\\- ]?'), 'gi')
  const root = stem(word).replace(/[$\\^*+?.()|[\]{}]/g, '\\$&')
  const capital = root.charAt(0).toUpperCase() + root.slice(1)
  const ending = root.length <= 3 ? '(?![a-z]{4})' : ''
  return new RegExp(
    `(?<![A-Za-z])(?:${root}|${capital}|${root.toUpperCase()})${ending}|(?<=[a-z0-9])${capital}${ending}`,
    'g',
  )
}
