import { UnfinishedError } from '../../errors/fed-error.ts'
import { disk, makeDirectory, type Disk } from './disk.ts'
import { isSystemError } from './system-error.ts'
import { perform, type Steps } from './steps.ts'
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
  /** What was read or written last: it is not parsed again as long as it is still what the file says. */
  #known: Version<Content> | undefined

  constructor(shape: DocumentShape<Content>, on: Disk = disk) {
    this.shape = shape
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
   * Commits and publishes the version after `head`.
   * @param first number of the first version, where there is none yet.
   * @returns the new version, or undefined when somebody else committed first.
   */
  commit(head: Head<Content> | undefined, content: Content, first = 1): Version<Content> | undefined {
    if (head?.commit === undefined) makeDirectory(versionsDirectory(this.shape.file))
    const committed = this.#perform(commit(this.shape, head, content, first))
    if (committed === undefined) return undefined
    this.#known = committed
    this.#publish(committed)
    return committed
  }

  /** Publishes the head where a killed process left the published file behind. */
  catchUp(head: Head<Content>): void {
    if (head.commit !== undefined && head.published !== head.version) this.#publish(head)
  }

  /** What is committed stays so on a full disk or a read-only one: whoever finds it behind publishes it. */
  #publish(version: Version<Content>): void {
    try {
      this.#perform(publish(this.shape, version))
    } catch (error) {
      if (!isSystemError(error)) throw error
      this.#makeSure(version)
    }
  }

  /** @throws {UnfinishedError}: it is committed, but a power cut may take it. */
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
   * @param change gets the present content and returns the next; it must not change what it was given.
   */
  update(change: (current: Content | undefined) => Content): Version<Content> {
    for (let attempt = 0; ; attempt += 1) {
      const head = this.read()
      const committed = this.commit(head, change(head?.content))
      if (committed !== undefined) return committed
      backOff(attempt)
    }
  }

  /** Removes versions that are both old and many; returns how many. */
  collect(retention: Retention): number {
    return this.#perform(collect(this.shape.file, retention))
  }
}

const sleeper = new Int32Array(new SharedArrayBuffer(4))

/** Waits a few random milliseconds, longer after many lost races, so that writers stop arriving together. */
export function backOff(attempt: number): void {
  Atomics.wait(sleeper, 0, 0, Math.random() * Math.min(2 ** attempt, 16))
}
