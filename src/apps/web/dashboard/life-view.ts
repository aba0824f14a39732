import { unless } from '../../../errors/unless.ts'
import type { TeamContext } from '../../../../machines/team-event.ts'
import type { Lifecycle } from '../../../engine/decide/lifecycle.ts'
import { proofOfEntry } from '../../../engine/decide/proof-in-words.ts'
import { versionsAfter } from '../../../engine/step/versions-after.ts'
import type { Actor } from '../../../engine/step/world.ts'
import { FedError } from '../../../errors/fed-error.ts'
import { leafOfValue, phaseOf } from '../../../engine/decide/phase.ts'
import { remembered, rememberedCommits } from './remembered.ts'
import type {
  MissionWords,
  PastPart,
  Segment,
  ShownCommit,
  ShownEvent,
  ShownMission,
  Phase,
} from './shown.ts'

/** Of a team that has none, or that cannot be read. */
export const noPast: PastPart = { after: 0, until: 0, segments: [], refusals: [], missions: [] }

/** Every commit of a team, of all its missions, each read once. */
export class Life {
  readonly #actor: Actor
  #commits: ShownCommit[] = []
  #segments: Segment[] = []
  #refusals: number[] = []
  #missions: ShownMission[] = []
  #last: { readonly id: string; readonly mission: number; readonly words: MissionWords } | undefined

  constructor(actor: Actor) {
    this.#actor = actor
  }

  /** Ascending. */
  get commits(): readonly ShownCommit[] {
    return this.#commits
  }

  /** All that was read. */
  whole(): PastPart {
    return {
      after: 0,
      until: this.#commits.at(-1)?.version ?? 0,
      segments: this.#segments,
      refusals: this.#refusals,
      missions: this.#missions,
    }
  }

  /** Reads what was committed since the last time, and returns what that adds. */
  catchUp(): PastPart {
    const after = this.#commits.at(-1)?.version ?? 0
    const fresh = this.#readAfter(after)
    const [first] = fresh
    if (first === undefined) return { ...noPast, after, until: after }
    if (this.#last !== undefined && first.commit.previous !== this.#last.id) {
      // somebody put other commits in the place of those that were read
      this.#commits = []
      this.#segments = []
      this.#refusals = []
      this.#missions = []
      this.#last = undefined
      return this.catchUp()
    }
    const [segments, refusals] = [this.#segments.length, this.#refusals.length]
    const mission = this.#missions.at(-1)?.number ?? 0
    for (const commit of fresh) this.#add(commit)
    const part = {
      after,
      until: this.#commits.at(-1)?.version ?? after,
      segments: this.#segments.slice(segments),
      refusals: this.#refusals.slice(refusals),
      // the subject of the one that was the last may have come since
      missions: this.#missions.filter(({ number }) => number >= mission),
    }
    this.#commits = rememberedCommits(this.#commits)
    this.#segments = remembered(this.#segments)
    this.#refusals = remembered(this.#refusals)
    this.#missions = remembered(this.#missions)
    return part
  }

  #readAfter(known: number): Lifecycle[] {
    // a damaged commit hides no other; what is wrong with it says the team's health
    return versionsAfter(this.#actor, known).flatMap(
      ({ read }) => unless([FedError, SyntaxError], read) ?? [],
    )
  }

  #add(commit: Lifecycle): void {
    const { version, mission, handled, snapshot } = commit
    const words = wordsOf(commit)
    const before = this.#last?.mission === mission ? this.#last.words : undefined
    const instructions = words.instructions.slice(before?.instructions.length ?? 0)
    const isSame =
      instructions.length === 0 &&
      (['subject', 'body', 'failure'] as const).every((each) => before?.[each] === words[each])
    const shown: ShownCommit = {
      ...{ version, at: Date.parse(commit.at), mission },
      state: leafOfValue(snapshot.value),
      events: handled.map(eventOf),
      ...(isSame ? {} : { words: { ...words, instructions } }),
    }
    this.#commits.push(shown)
    this.#addSegments(shown, phaseOf(snapshot))
    this.#addMission(shown, words)
    for (const { outcome } of shown.events) if (outcome === 'refused') this.#refusals.push(shown.at)
    this.#last = { id: commit.commit.id, mission, words }
  }

  #addMission({ mission: number, at }: ShownCommit, { subject }: MissionWords): void {
    const last = this.#missions.at(-1)
    const isLast = last?.number === number
    if (isLast && last.subject === subject) return
    if (isLast) this.#missions.pop()
    this.#missions.push({ number, at: isLast ? last.at : at, subject })
  }

  /** One commit may hold several moves. */
  #addSegments({ at, state, mission, events }: ShownCommit, phase: Phase): void {
    const segments = this.#segments
    const before = segments.at(-1)
    if (before === undefined || before.mission !== mission)
      segments.push({ at, state: events[0]?.from ?? state, phase: 'working', mission })
    const moves = events.filter(({ outcome, from, to }) => outcome === 'accepted' && from !== to)
    for (const [index, { to, event }] of moves.entries()) {
      const isLast = index === moves.length - 1
      const passing = to === 'paused' ? 'paused' : 'working'
      segments.push({ at, state: to, phase: isLast ? phase : passing, mission, event })
    }
  }
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
  const proof = proofOfEntry(handled)
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
    ...(proof === undefined ? {} : { proof }),
    ...(evidence === undefined ? {} : { evidence: JSON.stringify(evidence).slice(0, longestEvidence) }),
  }
}
