import { META } from '../protocol/team-id.ts'
import { readKnown, writeKnown, type KnownTeam } from '../records/sites/known-teams.ts'
import { afterEntry, type LineEntry } from './line-entry.ts'

/** Saving what is known of teams takes no more than one part of so many of the time. */
const savingShare = 10
/** How far it read is kept no more often than this, in milliseconds. */
const sequenceMs = 1000

/** What a site knows of the lines of all teams: kept in a file, from which every command of the site reads. */
export class View {
  readonly site: string
  readonly #root: string
  readonly #teams: Map<string, KnownTeam>
  #sequence: number
  /** Whether something is not saved: nothing, how far it read, or what it knows of teams. */
  #unsaved: 'nothing' | 'sequence' | 'teams' = 'nothing'
  #changes = 0
  #moves = 0
  #savedAt = -Infinity
  #saveTookMs = 0
  #takenAt: number | undefined

  constructor(root: string, site: string) {
    const { sequence, takenAt, teams } = readKnown(root)
    this.#root = root
    this.site = site
    this.#sequence = sequence
    this.#takenAt = takenAt
    this.#teams = new Map(Object.entries(teams))
  }

  /** Number of the last message that was read and carried out. */
  get sequence(): number {
    return this.#sequence
  }

  /** When the servers took that message, in milliseconds since 1970; undefined where nothing was read. */
  get takenAt(): number | undefined {
    return this.#takenAt
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
    const next = afterEntry(known, sequence, entry)
    this.#teams.set(id, next)
    this.#changes += 1
    const isSame = known?.site === next.site && known.epoch === next.epoch && known.isGone === next.isGone
    if (!isSame) this.#moves += 1
    this.#unsaved = 'teams'
  }

  /** Notes that everything up to this message was carried out. */
  reached(sequence: number, takenAt?: number): void {
    if (sequence <= this.#sequence) return
    this.#sequence = sequence
    this.#takenAt = takenAt
    if (this.#unsaved === 'nothing') this.#unsaved = 'sequence'
  }

  /** Begins anew: the servers' stream is another. */
  forget(): void {
    this.#teams.clear()
    this.#sequence = 0
    this.#changes += 1
    this.#moves += 1
    this.#unsaved = 'teams'
    this.#takenAt = undefined
  }

  /** Grows whenever a team comes to live somewhere, or is no more. */
  get moves(): number {
    return this.#moves
  }

  /** Grows with each thing that is learnt of a team. */
  get changes(): number {
    return this.#changes
  }

  /**
   * Keeps what is known, now; what a killed process did not keep is read from the servers again, and taking it in again
   * changes nothing.
   */
  save(): void {
    if (this.#unsaved === 'nothing') return
    const beginMs = performance.now()
    writeKnown(this.#root, {
      sequence: this.#sequence,
      ...(this.#takenAt !== undefined && { takenAt: this.#takenAt }),
      teams: Object.fromEntries(this.#teams),
    })
    this.#unsaved = 'nothing'
    this.#savedAt = performance.now()
    this.#saveTookMs = this.#savedAt - beginMs
  }

  /**
   * Keeps it when that is worth its time: what is known of teams soon, because commands go by it, but where they are
   * many not at each message; how far it read now and then.
   */
  saveInTime(): void {
    const wait = this.#unsaved === 'teams' ? this.#saveTookMs * savingShare : sequenceMs
    if (performance.now() - this.#savedAt >= wait) this.save()
  }
}
