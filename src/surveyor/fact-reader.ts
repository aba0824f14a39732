import type { FactCache } from './fact-cache.ts'
import type { FileFacts } from './facts.ts'
import { readFacts } from './file-facts.ts'
import { SourceParser } from './languages/grammars.ts'
import { languageOf } from './languages/index.ts'
import type { RepositoryFiles } from './repository-files.ts'

/** So few new files are parsed sooner than the parser is made fast. */
const FEW = 25

/** Finds the facts of files: in the cache by a look at the file, by its content, or by parsing it. */
export class FactReader {
  readonly statistics = { parsed: 0, fromCache: 0, read: 0 }
  readonly #files: RepositoryFiles
  readonly #cache: FactCache
  readonly #found = new Map<string, FileFacts>()
  readonly #unknown = new Map<string, Buffer>()
  #parser: Promise<SourceParser> | undefined
  #isBrief = false

  constructor(files: RepositoryFiles, cache: FactCache) {
    this.#files = files
    this.#cache = cache
  }

  /** Looks at the files of the last survey, and readies a parser where one is new: git is still at work. */
  lookAhead(): void {
    const unknown = this.#cache.known.filter(
      (file) => this.lookUp(file) === undefined && this.#unknown.has(file),
    )
    this.#isBrief = this.#cache.known.length > 0 && unknown.length <= FEW
    for (const file of unknown) {
      const language = languageOf(file)
      // Whoever parses waits for the same promises and hears what went wrong.
      if (language !== undefined)
        this.#startParser().then(
          (parser) => parser.load(language, file).catch(() => undefined),
          () => undefined,
        )
    }
  }

  /** Facts that are known; undefined where the file is to be parsed, or is none. */
  lookUp(file: string): FileFacts | undefined {
    const found = this.#found.get(file) ?? this.#cached(file)
    if (found !== undefined) this.#found.set(file, found)
    return found
  }

  /** Facts of a file that `lookUp` did not know; undefined where it cannot be read. */
  async parse(file: string): Promise<FileFacts | undefined> {
    const bytes = this.#unknown.get(file)
    const stamp = this.#files.stamp(file)
    if (bytes === undefined || stamp === undefined) return undefined
    this.#unknown.delete(file)
    const facts = await readFacts(file, bytes, () => this.#startParser())
    this.statistics.parsed++
    this.#cache.keep(file, stamp, bytes, facts)
    return facts
  }

  #cached(file: string): FileFacts | undefined {
    if (this.#unknown.has(file)) return undefined
    // The stamp is of before the reading: what is written meanwhile has another.
    const stamp = this.#files.stamp(file)
    if (stamp === undefined) return undefined
    let facts = this.#cache.bySight(file, stamp)
    if (facts === undefined) {
      const bytes = this.#files.bytes(file)
      if (bytes === undefined) return undefined
      this.statistics.read++
      facts = this.#cache.byContent(file, stamp, bytes)
      if (facts === undefined) this.#unknown.set(file, bytes)
    }
    return facts
  }

  #startParser(): Promise<SourceParser> {
    return (this.#parser ??= SourceParser.start(this.#isBrief))
  }
}
