import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { readBlocks, replaceBlocks } from './checked-blocks.ts'
import { grammarsVersion } from './languages/grammars.ts'

/** Results of one kind that are kept: of the last missions that were asked about. */
const MOST = 8

type Entry = [digest: string, result: unknown]

/**
 * The program that runs, by its bytes: a bundle holds its code, or names its parts by their digests. Undefined
 * where it cannot be told.
 */
const programDigest = (): string | undefined => {
  try {
    return digestOf(readFileSync(process.argv[1] ?? '', 'latin1'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

/** A digest of anything that is plain data. */
export const digestOf = (value: unknown): string =>
  createHash('sha1').update(JSON.stringify(value)).digest('base64')

/**
 * Results that follow from what was read and from nothing else, each kept under a digest of all that it was
 * made of and of the program that made it. What cannot be kept or read is made anew.
 */
export class KeptResults {
  readonly #folder: string | undefined
  readonly #label: string

  /** `folder` undefined: nothing is kept. */
  constructor(folder: string | undefined) {
    const program = folder === undefined ? undefined : programDigest()
    this.#folder = program === undefined ? undefined : folder
    this.#label = `fed-results-1-${program}-${grammarsVersion()}`
  }

  /**
   * The result that is kept of this, or the one that `make` makes of it, which is then kept.
   * @param most how many results of this kind are kept, the newest.
   * @param isSound asked when it is made: whether it was made of nothing but what the digest tells.
   */
  get<T>(kind: string, digest: string, make: () => T, isSound: () => boolean, most = MOST): T {
    const file = this.#folder === undefined ? undefined : path.join(this.#folder, kind)
    if (file === undefined) return make()
    const [kept = []] = readBlocks(file, this.#label).blocks as Entry[][]
    const known = kept.find(([of]) => of === digest)
    if (known !== undefined) return known[1] as T
    const made = make()
    if (isSound()) replaceBlocks(file, this.#label, [[digest, made] satisfies Entry, ...kept].slice(0, most))
    return made
  }
}
