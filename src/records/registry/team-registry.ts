import { FedError, RefusedError } from '../../errors/fed-error.ts'
import { printable } from '../../errors/printable.ts'
import { TeamNotFoundError } from '../../errors/team-errors.ts'
import { VersionedDocument, backOff } from '../../platform/storage/versioned-document.ts'
import type { Head } from '../../platform/storage/versioned-steps.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { closestName } from '../../protocol/nearest-name.ts'
import type { Registry, RegistryEntry } from '../../protocol/registry-schema.ts'
import { now } from '../../protocol/time.ts'
import { withoutInexact } from './exact-numbers.ts'
import { draftOf, RegistryCodec } from './registry-codec.ts'

/** Versions younger than an hour, and the last thousand, stay for people, as long as all have no more than 32 MiB. */
const collection = { minimumAgeMs: 3_600_000, keep: 1000, keepBytes: 32 * 1024 * 1024, every: 100 }

/** A process has the federation open that somebody moved or removed. */
class RegistryGoneError extends FedError {
  override readonly exitCode = 4

  constructor(file: string) {
    super(
      `${printable(file, Infinity)} is gone: the federation was moved or removed meanwhile; give the command again where it is now`,
    )
  }
}

export interface UpdateOptions {
  /** Refuse the change unless the registry is still at this version. */
  readonly expectedLockVersion?: number
}

/** Says no to a change by throwing. */
type Judge = (before: Registry, after: Registry) => void

/** A lifecycle may move between the change and its judgement; then both are made once more. */
const mostJudgements = 5

/** The team registry with optimistic concurrency: a lost update is impossible (spec §2.4). */
export class TeamRegistry {
  readonly #document: VersionedDocument<Registry>
  #wasThere = false

  readonly #judge: Judge | undefined

  /** @param judge of what is changed; fed's own commands move a status by its machine and need none. */
  constructor(root: string, judge?: Judge) {
    this.#judge = judge
    const { decode, encode } = new RegistryCodec()
    this.#document = new VersionedDocument({
      file: federationLayout(root).registry,
      versionField: 'lockVersion',
      prepare: withoutInexact,
      decode,
      encode,
      handEdits: 'keep',
      collection,
    })
  }

  /**
   * The registry as it is now, frozen; an empty one at version 0 before the first write.
   * @throws {ConfigValidationError} naming every field that is wrong; {RegistryGoneError}
   */
  read(): Registry {
    return this.#published(this.#head())
  }

  #head(): Head<Registry> | undefined {
    const head = this.#document.read()
    // one that has been read never ends by itself: without a word, a watch would go on with no teams at all
    if (head === undefined && this.#wasThere) throw new RegistryGoneError(this.#document.shape.file)
    if (head !== undefined) this.#wasThere = true
    return head
  }

  #published(head: Head<Registry> | undefined): Registry {
    // what a killed writer left unpublished, for those who read the file itself; what a person wrote stays
    if (head?.isBehind) this.#document.catchUp(head)
    return contentOf(head)
  }

  /** @throws {TeamNotFoundError} when no such team is registered. */
  entry(team: string): RegistryEntry {
    const { teams } = this.read()
    const entry = teams.find(({ domainId }) => domainId === team)
    if (entry === undefined) {
      const known = teams.map(({ domainId }) => domainId)
      throw new TeamNotFoundError(team, known, closestName(team, known))
    }
    return entry
  }

  /**
   * Writes what `change` makes of the registry: it may alter the draft it gets or return another. Sets
   * `lastUpdated` and increments `lockVersion`; runs again on newer content when another writer came first.
   * Fields that this version does not know survive.
   * @throws {RefusedError} when `expectedLockVersion` is given and another write came first, or when a team would
   * get a status that its machine does not allow.
   * @throws {ConfigValidationError} when the result is no valid registry; nothing is written then.
   */
  update(change: (draft: Registry) => Registry | void, options: UpdateOptions = {}): Registry {
    return this.#write((registry) => {
      const draft = draftOf(registry)
      const changed = change(draft) ?? draft
      // what is judged is what is written, whatever objects a program made it of
      return this.#judge === undefined ? changed : (JSON.parse(JSON.stringify(changed)) as Registry)
    }, options)
  }

  /** Writes what `change` makes of the registry, unless it is undefined: then there is nothing to write. */
  #write(change: (registry: Registry) => Registry | undefined, options: UpdateOptions = {}): Registry {
    for (let attempt = 0, judged = 1; ; attempt += 1) {
      const head = this.#head()
      const registry = contentOf(head)
      const expected = options.expectedLockVersion
      if (expected !== undefined && registry.lockVersion !== expected) {
        throw new RefusedError(
          `the registry is at lockVersion ${registry.lockVersion}, not ${expected}: read it again`,
        )
      }
      const changed = change(registry)
      if (changed === undefined) return this.#published(head)
      try {
        this.#judge?.(registry, changed)
      } catch (error) {
        if (!(error instanceof RefusedError) || judged === mostJudgements) throw error
        judged += 1
        continue
      }
      const committed = this.#document.commit(head, { ...changed, lastUpdated: now() })
      if (committed !== undefined) return committed.content
      backOff(attempt)
    }
  }

  /**
   * Changes one team's entry; `change` returns the entry that it was given when there is nothing to write.
   * @throws {TeamNotFoundError}
   */
  updateEntry(team: string, change: (entry: RegistryEntry) => RegistryEntry): void {
    let isThere = false
    this.updateEntries((entry) => {
      if (entry.domainId !== team) return entry
      isThere = true
      return change(entry)
    })
    if (!isThere) this.entry(team)
  }

  /**
   * Changes any number of entries in one write; `change` returns the entry that it was given where there is
   * nothing to write, and runs again on newer content when another writer came first.
   * @returns the registry as it is then: the present one, and nothing was written, when no entry changed.
   */
  updateEntries(change: (entry: RegistryEntry) => RegistryEntry): Registry {
    return this.#write((registry) => {
      const teams = registry.teams.map(change)
      return teams.every((entry, index) => entry === registry.teams[index])
        ? undefined
        : { ...registry, teams }
    })
  }
}

function contentOf(head: Head<Registry> | undefined): Registry {
  return head?.content ?? { lastUpdated: new Date(0).toISOString(), lockVersion: 0, teams: [] }
}
