import type { SymbolFact } from '../facts.ts'
import type { SurveyedFile } from '../surveyed-file.ts'
import type { Held, Hit } from './held-terms.ts'

/** A word that is looked up, and how telling it is. */
export interface Term {
  /** As the question has it. */
  word: string
  base: string
  /** Files that hold it, in any form of grammar. */
  files: number
  /** Rare words weigh more. */
  weight: number
  /** The question does not have it: code calls a phrase of the question so. */
  isHint: boolean
}

export interface FoundSymbol {
  path: string
  symbol: SymbolFact
  score: number
}

export interface FoundFile {
  file: SurveyedFile
  score: number
  /** Lines, from 1, that hold a term, by its word. */
  lines: ReadonlyMap<string, readonly number[]>
}

/** What the words of a question lead to in a repository, best first. */
export interface Found {
  terms: Term[]
  files: FoundFile[]
  symbols: FoundSymbol[]
}

/** A file that was looked through, and how much of each term its parts hold. */
export interface Read {
  readonly file: SurveyedFile
  readonly hits: readonly Hit[]
  /** Its base name, its folders, and its opening comment with its headings. */
  readonly name: Held
  readonly folders: Held
  readonly doc: Held
}
