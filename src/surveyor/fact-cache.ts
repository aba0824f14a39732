import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FileFacts } from './facts.ts'
import type { History } from './history.ts'

/** Raise it with every change of what is extracted: facts of another version are not read. */
const EXTRACTOR_VERSION = 2

interface Stored {
  version: number
  facts: Record<string, FileFacts>
  history: Record<string, History>
}

/**
 * What was found in each blob, and the history at each commit, in one file. A cache that is damaged or of
 * another version is rebuilt: it holds nothing that git does not.
 */
export class FactCache {
  readonly #file: string | undefined
  readonly #before: Stored
  readonly #used: Stored = { version: EXTRACTOR_VERSION, facts: {}, history: {} }
  #changed = false

  /** `folder` undefined: nothing is kept beyond this object. */
  constructor(folder: string | undefined) {
    this.#file = folder === undefined ? undefined : path.join(folder, 'facts.json')
    this.#before = (this.#file === undefined ? undefined : readStored(this.#file)) ?? {
      version: EXTRACTOR_VERSION,
      facts: {},
      history: {},
    }
  }

  facts(key: string): FileFacts | undefined {
    const found = this.#used.facts[key] ?? this.#before.facts[key]
    if (found !== undefined) this.#used.facts[key] = found
    return found
  }

  keepFacts(key: string, facts: FileFacts): void {
    this.#used.facts[key] = facts
    this.#changed = true
  }

  history(key: string): History | undefined {
    const found = this.#before.history[key]
    if (found !== undefined) this.#used.history[key] = found
    return found
  }

  keepHistory(key: string, history: History): void {
    this.#used.history[key] = history
    this.#changed = true
  }

  /** Writes what this survey used, whole or not at all; blobs that are gone are dropped with it. */
  save(): void {
    if (this.#file === undefined || !this.#changed) return
    mkdirSync(path.dirname(this.#file), { recursive: true })
    const temporary = `${this.#file}.${process.pid}.tmp`
    writeFileSync(temporary, JSON.stringify(this.#used))
    renameSync(temporary, this.#file)
  }
}

function readStored(file: string): Stored | undefined {
  try {
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Partial<Stored> | null
    const isOurs =
      stored?.version === EXTRACTOR_VERSION &&
      typeof stored.facts === 'object' &&
      typeof stored.history === 'object'
    return isOurs ? (stored as Stored) : undefined
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
