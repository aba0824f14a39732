import { versionFile } from '../../src/platform/storage/versioned-steps.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

/** Something happened that a versioned document promises never to let happen. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

interface Accepted {
  readonly id: string
  readonly version: number
  readonly by: string
}

interface Document {
  readonly version: number
  readonly by: string
  readonly commit?: { readonly id: string; readonly previous: string | null }
}

/**
 * What really happened, seen from above the disk: a link that names the newest commit as its predecessor is
 * a commit, any other is the mistake of a process that was stopped for long, which it must undo.
 */
export class History {
  readonly accepted: Accepted[] = []
  readonly #file: string
  readonly #indexById = new Map<string, number>()
  readonly #tokens = new Set<string>()

  constructor(file: string) {
    this.#file = file
  }

  get newest(): Accepted | undefined {
    return this.accepted.at(-1)
  }

  counts(token: string): boolean {
    return this.#tokens.has(token)
  }

  /** Looks at a call that was just made. */
  saw(disk: SimulatedDisk, name: string, target: string | undefined, answer: unknown): void {
    if (name === 'link' && answer === true && target !== undefined) this.#linked(disk.read(target) ?? '')
    if (name === 'unlink' && this.newest !== undefined) this.#newestIsThere(disk, target)
    if (name === 'rename' && target === this.#file) this.#published(disk.read(target) ?? '')
  }

  #linked(text: string): void {
    const { version, by, commit } = JSON.parse(text) as Document
    if (commit === undefined || commit.previous !== (this.newest?.id ?? null)) return
    if (this.#tokens.has(by)) throw new Violation(`${by} is counted twice`)
    if (this.newest !== undefined && version <= this.newest.version) {
      throw new Violation(`version ${version} was made after ${this.newest.version}`)
    }
    this.#tokens.add(by)
    this.#indexById.set(commit.id, this.accepted.length)
    this.accepted.push({ id: commit.id, version, by })
  }

  #newestIsThere(disk: SimulatedDisk, target: string | undefined): void {
    if (target === undefined || !target.endsWith('.json') || disk.exists(target)) return
    const number = Number(target.slice(target.lastIndexOf('/') + 1, -'.json'.length))
    if (this.#isNewestNumber === number) throw new Violation(`the newest version, ${number}, was removed`)
  }

  get #isNewestNumber(): number {
    const before = this.accepted.at(-2)
    return (before?.version ?? 0) + 1
  }

  #published(text: string): void {
    const { by, commit } = JSON.parse(text) as Document
    if (by.startsWith('other') || (commit !== undefined && this.#indexById.has(commit.id))) return
    throw new Violation(`something was published that was never committed: ${by}`)
  }

  /** A read may not return what was superseded before it began, nor what was never committed. */
  wasRead(id: string | undefined, begunAt: number): void {
    if (id === undefined) {
      if (begunAt > 0) throw new Violation('a document that has versions was read as having none')
      return
    }
    const index = this.#indexById.get(id)
    if (index === undefined) throw new Violation('a version was read that is no commit')
    if (index < begunAt - 1) throw new Violation(`a read went back by ${begunAt - 1 - index} versions`)
  }

  wasReportedDone(id: string | undefined): void {
    if (id === undefined || !this.#indexById.has(id)) throw new Violation('a commit was reported and is lost')
  }

  /** At the end the disk shows the newest, in its version file. */
  ends(disk: SimulatedDisk): void {
    const text = disk.read(versionFile(this.#file, this.#isNewestNumber))
    const id = text === undefined ? undefined : (JSON.parse(text) as Document).commit?.id
    if (this.newest !== undefined && id !== this.newest.id) throw new Violation('the newest version is lost')
  }
}
