import { availableParallelism } from 'node:os'
import { keyOf } from './fact-cache.ts'
import type { FactCache } from './fact-cache.ts'
import type { FileFacts } from './facts.ts'
import { readFacts } from './file-facts.ts'
import { SourceParser } from './languages/grammars.ts'
import { languageOf } from './languages/index.ts'
import { ParsingThreads } from './parsing-threads.ts'
import type { RepositoryFiles } from './repository-files.ts'

/** So few new files are parsed sooner than the parser is made fast. */
const FEW = 25

/** Bytes of code that are parsed sooner than another thread is ready, which loads the grammars for itself. */
const PAYS_FROM = 3_000_000

/** Finds the facts of files: in the cache by a look at the file, by its content, or by parsing it. */
export class FactReader {
  readonly statistics = { parsed: 0, fromCache: 0, read: 0 }
  readonly #files: RepositoryFiles
  readonly #cache: FactCache
  readonly #found = new Map<string, FileFacts>()
  readonly #keys = new Map<string, string>()
  readonly #unknown = new Map<string, { bytes: Buffer; key: string }>()
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

  /** Key of the content that a file had when it was looked up (see `keyOf`); undefined where it has none. */
  keyOf(file: string): string | undefined {
    return this.#keys.get(file)
  }

  /**
   * Facts of files, in their order; undefined where one cannot be read. `threads` parse beside this one; left
   * out, as many as there are further cores where so much is new that it pays.
   */
  async readAll(
    files: readonly string[],
    { threads = this.#usefulThreads(files), onRead }: { threads?: number; onRead?: (file: string) => void },
  ): Promise<(FileFacts | undefined)[]> {
    const helpers = threads > 0 ? new ParsingThreads(threads) : undefined
    const found: (FileFacts | undefined)[] = []
    const underWay: Promise<void>[] = []
    try {
      for (const [at, file] of files.entries()) {
        found[at] = this.lookUp(file)
        if (found[at] !== undefined) {
          this.statistics.fromCache++
          continue
        }
        onRead?.(file)
        const parsing = this.#parse(file, helpers).then((facts) => void (found[at] = facts))
        if (helpers === undefined) await parsing
        underWay.push(parsing)
        // Whoever waits for all of them hears what went wrong.
        parsing.catch(() => undefined)
        // What git and the threads say arrives only when the event loop turns.
        if (helpers !== undefined || underWay.length % 50 === 0) await new Promise(setImmediate)
      }
      await Promise.all(underWay)
    } finally {
      helpers?.close()
    }
    return found
  }

  #usefulThreads(files: readonly string[]): number {
    let size = 0
    for (const file of files)
      if (languageOf(file) !== undefined && !this.#found.has(file)) size += this.#files.stamp(file)?.size ?? 0
    return Math.min(availableParallelism() - 1, Math.floor(size / PAYS_FROM))
  }

  /** Facts of a file that `lookUp` did not know; undefined where it cannot be read. */
  async #parse(file: string, helpers: ParsingThreads | undefined): Promise<FileFacts | undefined> {
    const unknown = this.#unknown.get(file)
    const stamp = this.#files.stamp(file)
    if (unknown === undefined || stamp === undefined) return undefined
    const { bytes, key } = unknown
    this.#unknown.delete(file)
    const facts = await (helpers?.parse(file, bytes) ?? readFacts(file, bytes, () => this.#startParser()))
    this.statistics.parsed++
    this.#cache.keep(file, stamp, key, facts)
    return facts
  }

  #cached(file: string): FileFacts | undefined {
    if (this.#unknown.has(file)) return undefined
    // The stamp is of before the reading: what is written meanwhile has another.
    const stamp = this.#files.stamp(file)
    if (stamp === undefined) return undefined
    const seen = this.#cache.bySight(file, stamp)
    if (seen !== undefined) {
      this.#keys.set(file, seen.key)
      return seen.facts
    }
    const bytes = this.#files.bytes(file)
    if (bytes === undefined) return undefined
    this.statistics.read++
    const key = keyOf(file, bytes)
    this.#keys.set(file, key)
    const facts = this.#cache.byContent(file, stamp, key)
    if (facts === undefined) this.#unknown.set(file, { bytes, key })
    return facts
  }

  #startParser(): Promise<SourceParser> {
    return (this.#parser ??= SourceParser.start(this.#isBrief))
  }
}
