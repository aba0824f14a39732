import type { Node } from '@vscode/tree-sitter-wasm'
import type { CodeFacts, Link } from '../facts.ts'

/** What a resolver may look at: the files that survived the rules of `classify.ts`, and manifests. */
export interface ModuleIndex {
  /** Every surveyed path, sorted. */
  paths: readonly string[]
  has(path: string): boolean
  /** Facts of a parsed file; undefined for any other. */
  code(path: string): CodeFacts | undefined
  /** Text of a surveyed file, for manifests such as `tsconfig.json` and `go.mod`. */
  read(path: string): string
  /** Paths that are parsed by this language. */
  of(language: Language): readonly string[]
}

/** Where each import of a file leads, in their order; a link to the file itself counts for nothing. */
export type Resolver = (path: string, code: CodeFacts) => Link[]

/** One language that the surveyor reads: how to parse it, what to take from a tree, where its imports lead. */
export interface Language {
  id: string
  /** As people write it. */
  name: string
  /** Language tag of fenced blocks. */
  fence: string
  extensions: readonly string[]
  /** Names of `#!` interpreters. */
  interpreters?: readonly string[]
  /** File of the grammar, `tree-sitter-<grammar>.wasm`. */
  grammar(path: string): string
  /** Rewrites what the grammar cannot read or need not, keeping every line. */
  prepare?(source: string): string
  /** `source` is what was parsed, `written` what stands in the file. */
  extract(root: Node, source: string, written: string): CodeFacts
  createResolver(index: ModuleIndex): Resolver
}
