import { isDeepStrictEqual } from 'node:util'
import { ConfigValidationError } from '../../errors/document-errors.ts'
import type { Encoded } from '../../platform/storage/versioned-steps.ts'
import { problemsOf } from '../../protocol/problems.ts'
import { type Registry, type RegistryEntry, registrySchema } from '../../protocol/registry-schema.ts'
import { withInexact } from './exact-numbers.ts'

/**
 * The empty list of teams as `JSON.stringify` writes it. It stands nowhere else in the text: strings hold no
 * line breaks, and nested fields are indented further.
 */
const noTeams = '\n  "teams": []'
/** The line break and the indentation before each entry. */
const between = '\n    '

/** Where an entry stands in a text, by positions of characters. */
interface Place {
  start: number
  end: number
}

interface Written {
  readonly text: string
  readonly places: Map<object, Place>
}

/**
 * Checks and writes the registry. An unchanged entry is neither validated nor serialized again: most writes
 * change one entry of very many.
 */
export class RegistryCodec {
  /** The entries that were read or written last, valid and frozen. */
  #known = new Map<unknown, RegistryEntry>()
  /** What was written last, and where each entry stands in it. */
  #written: Written = { text: '', places: new Map() }

  /** @throws {ConfigValidationError} naming every field that is wrong. */
  readonly decode = (json: unknown, file: string): Registry => {
    const registry = this.#decodeChanged(json)
    if (registry !== undefined) return this.#remember(registry)
    const parsed = registrySchema.safeParse(json)
    if (parsed.success) return this.#remember(parsed.data)
    throw new ConfigValidationError(file, problemsOf(parsed.error))
  }

  /** The text as `JSON.stringify` would make it, and what reading it back would give. */
  readonly encode = (content: object): Encoded => {
    const { teams } = content as { readonly teams?: unknown }
    if (!Array.isArray(teams) || !teams.every(isObject)) {
      const text = JSON.stringify(content, null, 2)
      return { text, json: JSON.parse(text) }
    }
    const frame = JSON.stringify({ ...content, teams: [] }, null, 2)
    const entries = teams.map(
      (team) => this.#knownAs(team) ?? (JSON.parse(JSON.stringify(team) ?? 'null') as object),
    )
    const json = { ...(JSON.parse(frame) as object), teams: entries }
    const exact = withInexact(frame)
    if (entries.length === 0) return { text: exact, json }
    const at = exact.indexOf(noTeams) + noTeams.length - 1
    return { text: this.#write(`${exact.slice(0, at)}${between}`, entries, `\n  ${exact.slice(at)}`), json }
  }

  /** Writes the entries between two texts; runs of unchanged ones are copied from the last text. */
  #write(before: string, entries: readonly object[], after: string): string {
    const { text: last, places } = this.#written
    const now: Written['places'] = new Map()
    let text = before
    let piece: Place | undefined
    const add = () => {
      if (piece !== undefined) text += last.slice(piece.start, piece.end)
      piece = undefined
    }
    let length = text.length
    for (const [index, entry] of entries.entries()) {
      const separator = index === 0 ? '' : `,${between}`
      const place = places.get(entry)
      let size: number
      if (place === undefined) {
        add()
        const own = withInexact(JSON.stringify(entry, null, 2)).replaceAll('\n', between)
        text += separator + own
        size = own.length
      } else {
        size = place.end - place.start
        if (piece !== undefined && piece.end + separator.length === place.start) piece.end = place.end
        else {
          add()
          text += separator
          piece = { ...place }
        }
      }
      length += separator.length
      now.set(entry, { start: length, end: length + size })
      length += size
    }
    add()
    text += after
    this.#written = { text, places: now }
    return text
  }

  /** Validates changed entries only; undefined where all must be: none is known, or something is wrong. */
  #decodeChanged(json: unknown): Registry | undefined {
    if (this.#known.size === 0 || !isObject(json) || !Array.isArray(json['teams'])) return undefined
    const known = json['teams'].map((team) => this.#knownAs(team))
    const changed = json['teams'].filter((_, index) => known[index] === undefined)
    const parsed = registrySchema.safeParse({ ...json, teams: changed })
    if (!parsed.success) return undefined
    const validated = parsed.data.teams.values()
    const teams = known.map((entry) => entry ?? (validated.next().value as RegistryEntry))
    const isUnique = new Set(teams.map(({ domainId }) => domainId)).size === teams.length
    return isUnique ? { ...parsed.data, teams } : undefined
  }

  #knownAs(team: unknown): RegistryEntry | undefined {
    if (!isObject(team)) return undefined
    const known = this.#known.get(team['domainId'])
    return known !== undefined && isSame(team, known) ? known : undefined
  }

  #remember(registry: Registry): Registry {
    this.#known = new Map(registry.teams.map((entry) => [entry.domainId, entry]))
    return frozen(registry)
  }
}

/** A copy of a frozen registry that may be changed. */
export function draftOf({ teams, ...others }: Registry): Registry {
  const copies = teams.map((entry) =>
    Object.values(entry).some((value) => typeof value === 'object') ? structuredClone(entry) : { ...entry },
  )
  return { ...structuredClone(others), teams: copies }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSame(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  if (one === other) return true
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  return names.every((name) => {
    const [mine, theirs] = [one[name], other[name]]
    if (mine === theirs) return Object.hasOwn(other, name)
    return typeof mine === 'object' && typeof theirs === 'object' && isDeepStrictEqual(mine, theirs)
  })
}

/** Freezes a value and all in it: the next reader gets the same object. A frozen value is left as it is. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
