import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type * as TreeSitter from '@vscode/tree-sitter-wasm'
import type { CodeFacts } from '../facts.ts'
import type { Language } from './language.ts'

const require = createRequire(import.meta.url)
const PACKAGE = '@vscode/tree-sitter-wasm'

/** Version of the grammars: another one may see something else in the same file. */
export const grammarsVersion = (): string =>
  (JSON.parse(readFileSync(require.resolve(`${PACKAGE}/package.json`), 'utf8')) as { version: string })
    .version

/** Parses source files with the grammars that have been loaded; a grammar is loaded at its first use. */
export class SourceParser {
  readonly #runtime: typeof TreeSitter
  readonly #folder: string
  readonly #parsers = new Map<string, TreeSitter.Parser>()
  readonly #loading = new Map<string, Promise<void>>()

  private constructor(runtime: typeof TreeSitter, folder: string) {
    this.#runtime = runtime
    this.#folder = folder
  }

  /**
   * Starts the tree-sitter runtime (some 30 ms), so call it only when there is something to parse. `isBrief`:
   * a few files only, for which the second, thorough compilation of the grammars costs more than it saves.
   */
  static async start(isBrief = false): Promise<SourceParser> {
    if (isBrief) setFlagsFromString('--liftoff-only')
    const entry = require.resolve(PACKAGE)
    const runtime = require(entry) as typeof TreeSitter
    await runtime.Parser.init()
    return new SourceParser(runtime, path.dirname(entry))
  }

  /** Loads the grammar that a file needs; `parse` may then be called for it. */
  load(language: Language, file: string): Promise<void> {
    const grammar = language.grammar(file)
    const loading = this.#loading.get(grammar) ?? this.#load(grammar)
    this.#loading.set(grammar, loading)
    return loading
  }

  async #load(grammar: string): Promise<void> {
    const { Language: Grammar, Parser } = this.#runtime
    const loaded = await Grammar.load(readFileSync(path.join(this.#folder, `tree-sitter-${grammar}.wasm`)))
    this.#parsers.set(grammar, new Parser().setLanguage(loaded))
  }

  /** Facts of one source file. The tree is freed before this returns: trees live outside the collector. */
  parse(language: Language, file: string, source: string): CodeFacts {
    const prepared = language.prepare?.(source) ?? source
    const tree = this.#parsers.get(language.grammar(file))?.parse(prepared)
    if (tree === null || tree === undefined)
      throw new Error(`the grammar '${language.grammar(file)}' was not loaded before ${file}`)
    try {
      return language.extract(tree.rootNode, prepared, source)
    } finally {
      tree.delete()
    }
  }
}
