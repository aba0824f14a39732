import type { DocumentFacts } from './documents/document-facts.ts'

/** Why a tracked file is not read as part of the project; the report says so with counts. */
export type LeftOut =
  | 'binary'
  | 'generated'
  | 'vendored'
  | 'lock file'
  | 'minified'
  | 'over 1 MB'
  | 'symbolic link'
  | 'submodule'
  | 'not readable'

/**
 * How an import takes effect. Only `load` imports run when the module loads, so only they make a cycle; what the tests
 * within a file import (`test`) is no use of the file itself.
 */
export type ImportMode = 'load' | 'lazy' | 'type' | 'declare' | 'test'

export interface ImportFact {
  /** As written, without quotes. */
  specifier: string
  line: number
  mode: ImportMode
  /** What is taken from the module, by its name there. */
  names?: string[]
  /** The name under which the file passes it on to others (`pub use`); `*`: each name that it holds. */
  passesOn?: string
}

export interface SymbolFact {
  name: string
  /** The language's word: `function`, `class`, `interface`, `method`, `trait`, … */
  kind: string
  /** The class, module or receiver that holds it. */
  owner?: string
  /** First line of the symbol with its doc comment, first line of the declaration, last line; all from 1. */
  from: number
  line: number
  end: number
  exported: boolean
  /** It has type parameters, where types of one name may differ in them. */
  generic?: boolean
  /** First paragraph of its doc comment, plain. */
  doc?: string
}

/** What a parser found in one source file; depends on nothing but the file's text and language. */
export interface CodeFacts {
  imports: ImportFact[]
  symbols: SymbolFact[]
  /** First paragraph of the comment that opens the file. */
  doc?: string
  /** Declared package or namespace, where the language has them. */
  namespace?: string
  /** Names that the code uses, where the language finds neighbours without importing them. */
  words?: string[]
  /** How the file can be started, in words (`package main`). */
  entry?: string
  /** Tests stand in the file itself (`#[cfg(test)]`). */
  inlineTests?: boolean
}

/** What is known of one file's content; a pure function of its bytes and its language, hence cacheable by blob. */
export interface FileFacts {
  bytes: number
  lines: number
  leftOut?: LeftOut
  /** Language id when only the first line (`#!`) tells it. */
  shebang?: string
  /** Title and first paragraph of a document. */
  title?: string
  headings?: string[]
  /** What a Markdown document names. */
  document?: DocumentFacts
  code?: CodeFacts
}

/** One thing a file depends on: a file of the repository (`to`) or a package from outside (`external`). */
export interface Link {
  to?: string
  external?: string
  line: number
  /** `reference`: used by name without an import, or a declaration of a child; never part of a cycle. */
  mode: ImportMode | 'reference'
  names?: string[]
}
