import { META } from '../protocol/team-id.ts'
import { readKnown, writeKnown, type KnownTeam } from '../records/sites/known-teams.ts'
import { afterEntry, type LineEntry } from './line-entry.ts'

/** What a site knows of the lines of all teams: kept in a file, from which every command of the site reads. */
export class View {
  readonly site: string
  readonly #root: string
  readonly #teams: Map<string, KnownTeam>
  #sequence: number
  #isChanged = false

  constructor(root: string, site: string) {
    const { sequence, teams } = readKnown(root)
    this.#root = root
    this.site = site
    this.#sequence = sequence
    this.#teams = new Map(Object.entries(teams))
  }

  /** Number of the last message that was read and carried out. */
  get sequence(): number {
    return this.#sequence
  }

  team(id: string): KnownTeam | undefined {
    return this.#teams.get(id)
  }

  teams(): ReadonlyMap<string, KnownTeam> {
    return this.#teams
  }

  /** The team, where it lives here now. */
  own(id: string): KnownTeam | undefined {
    const known = this.#teams.get(id)
    return known?.site === this.site && !known.isGone ? known : undefined
  }

  /** Whether `meta` lives here. */
  get isHome(): boolean {
    return this.own(META) !== undefined
  }

  /** Takes up a message of a team's line; one that was taken up before changes nothing. */
  apply(id: string, sequence: number, entry: LineEntry): void {
    const known = this.#teams.get(id)
    if (known !== undefined && known.sequence >= sequence) return
    this.#teams.set(id, afterEntry(known, sequence, entry))
    this.#isChanged = true
  }

  /** Notes that everything up to this message was carried out. */
  reached(sequence: number): void {
    if (sequence <= this.#sequence) return
    this.#sequence = sequence
    this.#isChanged = true
  }

  /** Begins anew: the servers' stream is another. */
  forget(): void {
    this.#teams.clear()
    this.#sequence = 0
    this.#isChanged = true
  }

  save(): void {
    if (!this.#isChanged) return
    writeKnown(this.#root, { sequence: this.#sequence, teams: Object.fromEntries(this.#teams) })
    this.#isChanged = false
  }
}
