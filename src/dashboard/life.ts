import type { TeamContext } from '../../machines/team-event.ts'
import type { Lifecycle } from '../actors/lifecycle.ts'
import { versionsAfter } from '../actors/versions-after.ts'
import type { Actor } from '../actors/world.ts'
import { FedError } from '../errors.ts'
import { stanceOf } from '../actors/stance.ts'
import type { MissionWords, Segment, ShownCommit, ShownEvent, ShownMission, Stance } from './shown.ts'

/** What is remembered of one team: more than this says no more to anybody who looks. */
const mostCommits = 5000

/** Every commit of a team, of all its missions, each read once. */
export class Life {
  readonly #actor: Actor
  #commits: ShownCommit[] = []
  #segments: Segment[] = []
  #last: { readonly id: string; readonly words: string } | undefined

  constructor(actor: Actor) {
    this.#actor = actor
  }

  /** Ascending. */
  get commits(): readonly ShownCommit[] {
    return this.#commits
  }

  /** Reads what was committed since the last time; returns whether anything was. */
  catchUp(): boolean {
    const known = this.#commits.at(-1)?.version ?? 0
    const fresh = this.#readAfter(known)
    const [first] = fresh
    if (first === undefined) return false
    if (this.#last !== undefined && first.commit.previous !== this.#last.id) {
      // somebody put other commits in the place of those that were read
      this.#commits = []
      this.#segments = []
      this.#last = undefined
      return this.catchUp() || true
    }
    for (const commit of fresh) this.#add(commit)
    if (this.#commits.length > mostCommits) this.#commits = this.#commits.slice(-mostCommits)
    if (this.#segments.length > mostCommits) this.#segments = this.#segments.slice(-mostCommits)
    return true
  }

  #readAfter(known: number): Lifecycle[] {
    return versionsAfter(this.#actor, known).flatMap(({ read }) => this.#readable(read) ?? [])
  }

  /** A damaged commit hides no other; what is wrong with it says the team's health. */
  #readable(read: () => Lifecycle | undefined): Lifecycle | undefined {
    try {
      return read()
    } catch (error) {
      if (error instanceof FedError || error instanceof SyntaxError) return undefined
      throw error
    }
  }

  #add(commit: Lifecycle): void {
    const words = wordsOf(commit)
    const text = JSON.stringify(words)
    const shown: ShownCommit = {
      version: commit.version,
      at: Date.parse(commit.at),
      mission: commit.mission,
      state: leafOf(commit.snapshot.value),
      events: commit.handled.map(eventOf),
      ...(text === this.#last?.words ? {} : { words }),
    }
    this.#commits.push(shown)
    this.#addSegments(shown, stanceOf(commit.snapshot))
    this.#last = { id: commit.commit.id, words: text }
  }

  segments(): readonly Segment[] {
    return this.#segments
  }

  /** One commit may hold several moves. */
  #addSegments({ at, state, mission, events }: ShownCommit, stance: Stance): void {
    const segments = this.#segments
    const before = segments.at(-1)
    if (before === undefined || before.mission !== mission)
      segments.push({ at, state: events[0]?.from ?? state, stance: 'working', mission })
    const moves = events.filter(({ outcome, from, to }) => outcome === 'accepted' && from !== to)
    for (const [index, { to, event }] of moves.entries()) {
      const isLast = index === moves.length - 1
      const passing = to === 'paused' ? 'paused' : 'working'
      segments.push({ at, state: to, stance: isLast ? stance : passing, mission, event })
    }
  }

  refusals(): number[] {
    return this.#commits.flatMap(({ at, events }) =>
      events.flatMap(({ outcome }) => (outcome === 'refused' ? [at] : [])),
    )
  }

  missions(): ShownMission[] {
    const missions: ShownMission[] = []
    for (const { at, mission, words } of this.#commits) {
      const last = missions.at(-1)
      if (last?.number === mission && words !== undefined)
        missions[missions.length - 1] = { ...last, subject: words.subject }
      if (last?.number !== mission) missions.push({ number: mission, at, subject: words?.subject ?? '' })
    }
    return missions
  }
}

/** The name of the innermost active state; of parallel ones the last. */
function leafOf(value: string | Record<string, unknown>): string {
  let here: unknown = value
  let name = ''
  while (typeof here === 'object' && here !== null) {
    const [key, inner] = Object.entries(here).at(-1) ?? ['', '']
    name = key
    here = inner
  }
  return typeof here === 'string' ? here : name
}

function wordsOf({ snapshot }: Lifecycle): MissionWords {
  const { mission, instructions = [], failure } = snapshot.context as Partial<TeamContext>
  return {
    subject: mission?.subject ?? '',
    body: mission?.body ?? '',
    instructions: instructions.map(({ at, subject, body }) => ({ at: Date.parse(at), subject, body })),
    failure: failure?.reason ?? null,
  }
}

/** Evidence is shown as it stands, up to so many characters. */
const longestEvidence = 4000

function eventOf(handled: Lifecycle['handled'][number]): ShownEvent {
  const { signal, file, at, sender, subject, event, outcome, from, to, refusal, evidence } = handled
  return {
    signal,
    file,
    sent: Date.parse(at),
    sender,
    subject,
    event,
    outcome,
    from,
    to,
    ...(refusal === undefined ? {} : { refusal }),
    ...(evidence === undefined ? {} : { evidence: JSON.stringify(evidence).slice(0, longestEvidence) }),
  }
}
