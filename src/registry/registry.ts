import { ConfigValidationError, RefusedError, TeamNotFoundError } from '../errors.ts'
import { federationLayout } from '../protocol/layout.ts'
import { problemsOf } from '../protocol/problems.ts'
import { registrySchema, type Registry, type RegistryEntry } from '../protocol/registry.ts'
import { now } from '../protocol/time.ts'
import { backOff, VersionedDocument } from '../storage/versioned-document.ts'

/** Versions younger than an hour, and the last thousand, stay for whoever was stopped on the way. */
const retention = { minimumAgeMs: 3_600_000, keep: 1000 }
const collectEvery = 100

function decode(json: unknown, file: string): Registry {
  const parsed = registrySchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new ConfigValidationError(file, problemsOf(parsed.error))
}

export interface UpdateOptions {
  /** Refuse the change unless the registry is still at this version. */
  readonly expectedLockVersion?: number
}

/** The team registry with optimistic concurrency: a lost update is impossible (spec §2.4). */
export class TeamRegistry {
  readonly #document: VersionedDocument<Registry>

  constructor(root: string) {
    this.#document = new VersionedDocument({
      file: federationLayout(root).registry,
      versionField: 'lockVersion',
      decode,
      handEdits: 'keep',
    })
  }

  /**
   * The registry as it is now; an empty one at version 0 before the first write.
   * @throws {ConfigValidationError} naming every field that is wrong.
   */
  read(): Registry {
    return (
      this.#document.read()?.content ?? { lastUpdated: new Date(0).toISOString(), lockVersion: 0, teams: [] }
    )
  }

  /** @throws {TeamNotFoundError} when no such team is registered. */
  entry(team: string): RegistryEntry {
    const { teams } = this.read()
    const entry = teams.find(({ domainId }) => domainId === team)
    if (entry === undefined) {
      throw new TeamNotFoundError(
        team,
        teams.map(({ domainId }) => domainId),
      )
    }
    return entry
  }

  /**
   * Writes what `change` makes of the registry: it may alter the draft it gets or return another. Sets
   * `lastUpdated` and increments `lockVersion`; runs again on newer content when another writer came first.
   * Fields that this version does not know survive.
   * @throws {RefusedError} when `expectedLockVersion` is given and another write came first.
   * @throws {ConfigValidationError} when the result is no valid registry; nothing is written then.
   */
  update(change: (draft: Registry) => Registry | void, options: UpdateOptions = {}): Registry {
    for (let attempt = 0; ; attempt += 1) {
      const head = this.#document.read()
      const registry = head?.content ?? this.read()
      const expected = options.expectedLockVersion
      if (expected !== undefined && registry.lockVersion !== expected) {
        throw new RefusedError(
          `the registry is at lockVersion ${registry.lockVersion}, not ${expected}: read it again`,
        )
      }
      const draft = structuredClone(registry)
      const changed = change(draft) ?? draft
      const next = decode({ ...changed, lastUpdated: now() }, this.#document.shape.file)
      const committed = this.#document.commit(head, next)
      if (committed !== undefined) {
        if (committed.version % collectEvery === 0) this.#document.collect(retention)
        return committed.content
      }
      backOff(attempt)
    }
  }

  /** Changes one team's entry; `change` returns the entry that it was given when there is nothing to write. */
  updateEntry(team: string, change: (entry: RegistryEntry) => RegistryEntry): void {
    const present = this.entry(team)
    if (change(present) === present) return
    this.update((registry) => ({
      ...registry,
      teams: registry.teams.map((entry) => (entry.domainId === team ? change(entry) : entry)),
    }))
  }
}
