import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type * as TreeSitter from '@vscode/tree-sitter-wasm'
import type { CodeFacts } from '../facts.ts'
import type { Language } from './language.ts'

/** Parses source files with the grammars that have been loaded; a grammar is loaded at its first use. */
export class SourceParser {
  readonly #runtime: typeof TreeSitter
  readonly #folder: string
  readonly #parsers = new Map<string, TreeSitter.Parser>()

  private constructor(runtime: typeof TreeSitter, folder: string) {
    this.#runtime = runtime
    this.#folder = folder
  }

  /** Starts the tree-sitter runtime (some 30 ms), so call it only when there is something to parse. */
  static async start(): Promise<SourceParser> {
    const require = createRequire(import.meta.url)
    const entry = require.resolve('@vscode/tree-sitter-wasm')
    const runtime = require(entry) as typeof TreeSitter
    await runtime.Parser.init()
    return new SourceParser(runtime, path.dirname(entry))
  }

  /** Loads the grammar that a file needs; `parse` may then be called for it. */
  async load(language: Language, file: string): Promise<void> {
    const grammar = language.grammar(file)
    if (this.#parsers.has(grammar)) return
    const loaded = await this.#runtime.Language.load(
      readFileSync(path.join(this.#folder, `tree-sitter-${grammar}.wasm`)),
    )
    this.#parsers.set(grammar, new this.#runtime.Parser().setLanguage(loaded))
  }

  /** Facts of one source file. The tree is freed before this returns: trees live outside the collector. */
  parse(language: Language, file: string, source: string): CodeFacts {
    const prepared = language.prepare?.(source) ?? source
    const tree = this.#parsers.get(language.grammar(file))?.parse(prepared)
    if (tree === null || tree === undefined)
      throw new Error(`the grammar '${language.grammar(file)}' was not loaded before ${file}`)
    try {
      return language.extract(tree.rootNode, prepared)
    } finally {
      tree.delete()
    }
  }
}
