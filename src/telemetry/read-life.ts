import { unless } from '../errors/unless.ts'
import { leafOfValue } from '../engine/decide/phase.ts'
import type { DeliverableFigures } from '../../machines/team-event.ts'
import type { Handled, Lifecycle } from '../engine/decide/lifecycle.ts'
import { UnreadableDocumentError } from '../errors/document-errors.ts'
import { CommitFiles } from './commit-files.ts'
import { observed } from './histogram.ts'
import { count, type SpanRecord, type TeamLedger } from './telemetry-ledger.ts'
import { missionSpan, mostEvents, signalEvent, stateSpan, traceOf } from './spans.ts'

/** What the commits that came since say. */
export interface LifeReading {
  readonly spans: SpanRecord[]
  /** Files of the signals that they handled; a directive that is kept as mail is not among them. */
  readonly handled: ReadonlySet<string>
  /** False when the time was over, or a commit cannot be read: the next look goes on from there. */
  readonly isWhole: boolean
}

/** Reads a team's commits since the last look into its ledger, as many as there is time for. */
export function readLife(
  ledger: TeamLedger,
  team: { readonly id: string; readonly workspace: string },
  hasTime: () => boolean,
): LifeReading {
  const life = new Life(ledger, team.id, new CommitFiles(team.workspace))
  let isWhole = false
  // the step and the doctor tell of it; what comes behind it cannot be counted
  unless(UnreadableDocumentError, () => {
    isWhole = life.readOn(hasTime)
  })
  return { spans: life.spans, handled: life.handled, isWhole }
}

/**
 * Forgets how far a team was read whose workspace was removed and made again, under the same name: it begins with
 * other commits and an empty mailbox. What was counted stays. One that is away has no commits.
 */
export function forgetEarlierLife(ledger: TeamLedger, workspace: string): void {
  const { commit } = ledger
  if (commit === undefined) return
  const commits = new CommitFiles(workspace)
  const last = commits.read(commit.version, Math.max(1, ledger.begun))
  const isSame = last === undefined ? commits.first() === undefined : last.commit.id === commit.id
  if (isSame) return
  ledger.commit = ledger.mission = ledger.state = ledger.mail = undefined
  ledger.begun = 0
  ledger.traces = {}
  ledger.session = { mission: 0, number: 0 }
}

class Life {
  readonly spans: SpanRecord[] = []
  readonly handled = new Set<string>()
  readonly #ledger: TeamLedger
  readonly #team: string
  readonly #commits: CommitFiles
  /** Number of the mission to which the last commit belongs. */
  #number: number

  constructor(ledger: TeamLedger, team: string, commits: CommitFiles) {
    this.#ledger = ledger
    this.#team = team
    this.#commits = commits
    this.#number = Math.max(1, ledger.begun)
  }

  /** @returns whether all was read. */
  readOn(hasTime: () => boolean): boolean {
    const first = this.#ledger.commit === undefined ? (this.#commits.first() ?? 1) : 1
    for (;;) {
      if (!hasTime()) return false
      const { version = first - 1 } = this.#ledger.commit ?? {}
      const commit = this.#commits.read(version + 1, this.#number)
      if (commit === undefined) return true
      this.#readCommit(commit)
      this.#number = commit.mission
      this.#ledger.commit = { version: commit.version, id: commit.commit.id }
    }
  }

  #readCommit(commit: Lifecycle): void {
    const ledger = this.#ledger
    const { at, mission: number, snapshot, handled } = commit
    if (ledger.mission !== undefined && number > ledger.mission.number) this.#endMission(commit, 'given-up')
    if (number > ledger.begun && snapshot.context.mission !== null) this.#beginMission(commit)
    for (const [index, entry] of handled.entries()) {
      this.#count(entry, at)
      if (ledger.state !== undefined) ledger.state.handled += 1
      if (entry.outcome !== 'accepted' || entry.from === entry.to) continue
      count(ledger.totals.transitions, `${entry.from} ${entry.to}`)
      this.#endState(commit, index)
      this.#beginState(commit, index, entry.to)
    }
    if (snapshot.status !== 'done' || ledger.mission === undefined) return
    const { figures } = snapshot.context as { figures?: DeliverableFigures | null }
    if (figures) {
      const { sizeBytes, sections, codeExamples } = figures
      ledger.totals.deliverable = { sizeBytes, sections, codeExamples }
    }
    this.#endMission(commit, leafOfValue(snapshot.value))
  }

  #count(entry: Handled, at: string): void {
    const { totals } = this.#ledger
    if (entry.outcome === 'refused') count(totals.refused, entry.refusal?.kind ?? 'unknown')
    // kept as mail for the agent: it still waits
    if (entry.refusal?.kind === 'not-from-meta') return
    this.handled.add(entry.file)
    if (entry.outcome === 'duplicate') return
    const waited = Date.parse(at) - Date.parse(entry.at)
    totals.waiting[entry.type] = observed(totals.waiting[entry.type], waited)
  }

  /** A mission begins when its words are there: what a team without one does is nobody's mission. */
  #beginMission(commit: Lifecycle): void {
    const { at, mission: number, snapshot, handled } = commit
    const trace = traceOf(commit.commit.id)
    const { mission } = snapshot.context as { mission?: { readonly subject?: string } | null }
    this.#ledger.begun = number
    this.#ledger.traces[number] = trace
    this.#ledger.mission = { number, trace, since: at, subject: mission?.subject ?? '' }
    const first = handled.find(({ outcome }) => outcome === 'accepted')
    this.#beginState(commit, -1, first?.from ?? leafOfValue(snapshot.value))
  }

  #endMission(commit: Lifecycle, outcome: string): void {
    const { mission, archetype } = this.#ledger
    if (mission === undefined) return
    // a final state lasts no time, and a mission that was given up ends the state it was in
    if (outcome === 'given-up') this.#endState(commit, -1)
    this.#ledger.state = undefined
    this.spans.push(missionSpan(mission, outcome, { team: this.#team, archetype, end: commit.at }))
    this.#ledger.mission = undefined
  }

  #beginState({ version, at }: Lifecycle, index: number, name: string): void {
    if (this.#ledger.mission === undefined) return
    this.#ledger.state = { name, since: at, version, index, handled: 0 }
  }

  #endState(commit: Lifecycle, index: number): void {
    const { mission, state, archetype, totals } = this.#ledger
    if (mission === undefined || state === undefined) return
    const events = this.#eventsSince(state, commit, index)
    const ending = { team: this.#team, archetype, end: commit.at }
    this.spans.push(stateSpan(mission, state, events, ending))
    const lasted = Date.parse(commit.at) - Date.parse(state.since)
    totals.states[state.name] = observed(totals.states[state.name], lasted)
  }

  /** The last signals that came to a state, up to the one at `index` of the commit that ends it. */
  #eventsSince(
    state: NonNullable<TeamLedger['state']>,
    last: Lifecycle,
    index: number,
  ): SpanRecord['events'] {
    const events: SpanRecord['events'] = []
    for (let { version } = last; version >= state.version && events.length < mostEvents; version -= 1) {
      const commit = version === last.version ? last : this.#commits.read(version, this.#number)
      if (commit === undefined) break
      const from = version === state.version ? state.index + 1 : 0
      const to = version === last.version ? index + 1 : commit.handled.length
      const some = commit.handled.slice(from, to).map((entry) => signalEvent(entry, commit.at))
      events.unshift(...some)
    }
    return events.slice(-mostEvents)
  }
}
