import { UnfinishedError } from '../../errors/fed-error.ts'
import { disk, makeDirectory, type Disk } from './disk.ts'
import { isSystemError } from './system-error.ts'
import { perform, type Steps } from './disk-calls.ts'
import { collect, commit, publish, type Retention } from './versioned-commit.ts'
import {
  listVersions,
  readHead,
  readVersion,
  versionsDirectory,
  type DocumentShape,
  type Head,
  type Version,
} from './versioned-steps.ts'

/** Which old versions stay, and how often the others are removed. */
export interface Collection extends Retention {
  /** Commits between two collections; see `commitsBetween`. */
  readonly every: number
}

interface DocumentOptions<Content extends object> extends DocumentShape<Content> {
  /** Without it every version stays. */
  readonly collection?: Collection
}

/**
 * A JSON file beside a folder of its versions, changed by optimistic concurrency and no lock: whoever links
 * the next number first has committed. A process that is killed or stopped anywhere blocks nobody, and one
 * that wakes up late cannot overwrite what came after.
 *
 * @example
 * const counter = new VersionedDocument({ file, versionField: 'version', decode, handEdits: 'refuse' })
 * counter.update((current) => ({ count: (current?.count ?? 0) + 1 }))
 */
export class VersionedDocument<Content extends object> {
  readonly shape: DocumentShape<Content>
  readonly #disk: Disk
  readonly #collection: Collection | undefined
  /** What was read or written last: it is not parsed again as long as it is still what the file says. */
  #known: Version<Content> | undefined

  constructor({ collection, ...shape }: DocumentOptions<Content>, on: Disk = disk) {
    this.shape = shape
    this.#collection = collection
    this.#disk = on
  }

  #perform<Result>(steps: Steps<Result>): Result {
    return perform(steps, this.#disk)
  }

  /**
   * The newest version, or undefined when there is none.
   * @throws {CorruptDocumentError} when the published file or a version on the way does not parse.
   */
  read(): Head<Content> | undefined {
    const head = this.#perform(readHead(this.shape, this.#known))
    this.#known = head
    return head
  }

  /** Version numbers still on disk, ascending. */
  versions(): number[] {
    return this.#perform(listVersions(this.shape.file))
  }

  /** One version's content, or undefined when it is not (or no longer) there. */
  version(number: number): Content | undefined {
    return this.#perform(readVersion(this.shape, number))?.content
  }

  /**
   * Commits and publishes the version after `head`, and removes old ones now and then.
   * @param first number of the first version, where there is none yet.
   * @returns the new version, or undefined when somebody else committed first.
   */
  commit(head: Head<Content> | undefined, content: Content, first = 1): Version<Content> | undefined {
    if (head?.commit === undefined) makeDirectory(versionsDirectory(this.shape.file))
    const committed = this.#perform(commit(this.shape, head, content, first))
    if (committed === undefined) return undefined
    this.#known = committed
    this.#publish(committed)
    this.#collectAfter(committed)
    return committed
  }

  #collectAfter({ version, text }: Version<Content>): void {
    const collection = this.#collection
    if (collection === undefined || version % commitsBetween(collection, text.length) !== 0) return
    try {
      this.collect(collection)
    } catch (error) {
      // the commit stands, and a later one collects
      if (!isSystemError(error)) throw error
    }
  }

  /** Publishes the head where a killed process left the published file behind. */
  catchUp(head: Head<Content>): void {
    if (head.commit !== undefined && head.published !== head.version) this.#publish(head)
  }

  /** Publishes a version. Where the disk is full or read-only it stays committed, and is published later. */
  #publish(version: Version<Content>): void {
    try {
      this.#perform(publish(this.shape, version))
    } catch (error) {
      if (!isSystemError(error)) throw error
      this.#makeSure(version)
    }
  }

  /**
   * Makes a committed version durable that could not be published.
   * @throws {UnfinishedError} when that fails, too: it is committed, but a power cut may take it.
   */
  #makeSure({ version }: Version<Content>): void {
    const { file } = this.shape
    try {
      this.#disk.syncDirectory(versionsDirectory(file))
    } catch (error) {
      if (!isSystemError(error)) throw error
      throw new UnfinishedError(
        `version ${version} of ${file} is committed`,
        'whoever reads it next publishes it',
        error,
      )
    }
  }

  /**
   * Changes the document; `change` runs again on the newer content whenever another writer came first.
   * @param change gets the present content and returns the next, or undefined when there is nothing to write; it
   * must not change what it was given.
   * @returns the version that stands then; undefined when there is none, and nothing was to be written.
   */
  update(change: (current: Content | undefined) => Content): Version<Content>
  update(change: (current: Content | undefined) => Content | undefined): Version<Content> | undefined
  update(change: (current: Content | undefined) => Content | undefined): Version<Content> | undefined {
    for (let attempt = 0; ; attempt += 1) {
      const head = this.read()
      const next = change(head?.content)
      if (next === undefined) return head
      const committed = this.commit(head, next)
      if (committed !== undefined) return committed
      backOff(attempt)
    }
  }

  /** Removes the versions that `retention` lets go; returns how many. */
  collect(retention: Retention): number {
    return this.#perform(collect(this.shape.file, retention))
  }
}

/**
 * Commits between two collections: `every`, or so few that the versions that wait to be removed take at most
 * an eighth of `keepBytes`; never less than 4.
 * @param bytes size of the present version.
 */
function commitsBetween({ every, keepBytes = Infinity }: Collection, bytes: number): number {
  return Math.max(4, Math.min(every, Math.floor(keepBytes / 8 / bytes)))
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Waits a few random milliseconds, longer after many lost races, so that writers stop arriving together. */
export function backOff(attempt: number): void {
  Atomics.wait(sleeper, 0, 0, Math.random() * Math.min(2 ** attempt, 16))
}
