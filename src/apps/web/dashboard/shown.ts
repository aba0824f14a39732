// What the server tells the page, and nothing that runs: both sides hold to these types. Times are milliseconds
// since the epoch, states the names of leaves.
import type { Chart } from '../../../diagram/chart.ts'
import type { LogPart } from './log.ts'
import type { RegistryStatus } from '../../../protocol/registry-schema.ts'
import type { SignalType } from '../../../protocol/signal.ts'

/** What stands still while the dashboard runs. */
export interface ShownFederation {
  readonly name: string
  readonly root: string
  readonly description: string
  /** Of the page's own files: a page of another build loads itself anew. */
  readonly build: string
  readonly deliverable: string
}

interface ShownFinding {
  readonly kind: string
  readonly message: string
  readonly fix: string
}

/** What a mission leaves: a document, or commits on a branch. */
export type Product = 'document' | 'changes'

export type Phase = 'working' | 'paused' | 'finished'

/** From `at` on a team was in `state`. */
export interface Segment {
  readonly at: number
  readonly state: string
  readonly phase: Phase
  readonly mission: number
  /** What led there; nothing at the beginning of a mission. */
  readonly event?: string
}

export interface ShownMission {
  readonly number: number
  /** When its first commit was made. */
  readonly at: number
  /** Empty while the team has none. */
  readonly subject: string
}

/** What happened to a team until a version of its life, in order. */
export interface Past {
  readonly until: number
  readonly segments: readonly Segment[]
  /** Times of refused events. */
  readonly refusals: readonly number[]
  readonly missions: readonly ShownMission[]
}

/** What the versions after one of them added to a past; after none it is all of it. */
export interface PastPart extends Past {
  readonly after: number
}

/** A team as it is now. */
export interface TeamNow {
  readonly team: string
  readonly archetype: string
  readonly status: RegistryStatus
  /** Null when it cannot be read. */
  readonly state: string | null
  readonly phase: Phase | null
  /** Whether the state waits for somebody else. */
  readonly waits: boolean
  readonly version: number
  /** Whether its mission was begun. */
  readonly started: boolean
  /** Null of a team whose missions leave neither. */
  readonly product: Product | null
  /** Signals without an acknowledgment. */
  readonly waiting: number
  readonly quarantined: number
  /** Whether an agent runs. */
  readonly working: boolean
  /** Of whom it waits for an answer. */
  readonly asks: string | null
  readonly findings: readonly ShownFinding[]
  /** The leaves of its machine that a first reader should follow, in order. */
  readonly spine: readonly string[]
}

/** What is told of a team: each part of its past once. */
export interface TeamNews extends TeamNow {
  readonly past: PastPart
}

export interface ShownEvent {
  readonly signal: string
  readonly file: string
  /** When the signal was made. */
  readonly sent: number
  readonly sender: string
  readonly subject: string
  readonly event: string
  readonly outcome: 'accepted' | 'refused' | 'duplicate'
  readonly from: string
  readonly to: string
  readonly refusal?: { readonly kind: string; readonly message: string }
  /** What proved the work where it was accepted, in words. */
  readonly proof?: string
  /** What the guards were shown, as JSON. */
  readonly evidence?: string
}

export interface ShownCommit {
  readonly version: number
  readonly at: number
  readonly mission: number
  readonly state: string
  readonly events: readonly ShownEvent[]
  /** Where they differ from the commit before. */
  readonly words?: MissionWords
}

/** What a team was told to do. */
export interface MissionWords {
  readonly subject: string
  readonly body: string
  /** Those that came with this commit. */
  readonly instructions: readonly { readonly at: number; readonly subject: string; readonly body: string }[]
  readonly failure: string | null
}

export interface ShownLife {
  /** Whether these are all commits, and not only those after the version that was asked for. */
  readonly whole: boolean
  readonly commits: readonly ShownCommit[]
}

export interface ShownSignal {
  readonly id: string
  readonly file: string
  readonly at: number
  readonly from: string
  readonly to: string
  readonly type: SignalType
  readonly subject: string
  readonly body: string
  /** Of a report that says no more than that a team moved. */
  readonly move: { readonly from: string; readonly to: string } | null
  /** Null while it waits. */
  readonly acknowledged: number | null
}

export interface ShownMail {
  /** The newest, the oldest first. */
  readonly signals: readonly ShownSignal[]
  /** How many older ones are not among them. */
  readonly left: number
  /** Whether earlier moments need nothing that is not among them. */
  readonly isWhole: boolean
  readonly quarantined: readonly { readonly file: string; readonly reason: string; readonly at: number }[]
}

export interface ShownLearning {
  readonly at: number
  readonly category: string
  readonly confidence: string
  readonly isSure: boolean
  readonly tags: readonly string[]
  readonly content: string
}

export interface ShownSession {
  readonly mission: number
  readonly number: number
  readonly agent: string
  readonly at: number
  readonly end: { readonly at: number; readonly cause: string; readonly exitCode: number | null } | null
  readonly running: boolean
}

/** A part of a session's log. */
export interface ShownLog extends LogPart {
  /** Whether it ends where it ended at the moment that was asked for; else nobody noted its times. */
  readonly isAsThen: boolean
}

export interface ShownDeliverable {
  readonly file: string
  readonly at: number
  readonly bytes: number
  /** Made of Markdown, without any HTML of its own; empty where only a note can be shown. */
  readonly html: string
  readonly note: string
}

/** Why a part cannot be shown, in words for a person. */
export interface Fault {
  readonly fault: string
}

/** What was done on a team's branch for its mission. */
export interface ShownChanges {
  readonly branch: string
  /** Where it is to be merged. */
  readonly target: string
  readonly head: string
  /** The commit that it is compared with. */
  readonly base: string
  /** The newest first. */
  readonly commits: readonly {
    readonly id: string
    readonly subject: string
    readonly author: string
    readonly at: number
  }[]
  readonly hasMore: boolean
  /** As git writes it, no longer than can be shown. */
  readonly patch: string
  readonly isPatchWhole: boolean
}

/** What a team takes now, with what is still missing for it. */
export interface ShownAcceptance {
  readonly event: string
  readonly missing: readonly string[]
}

export interface ShownChart {
  readonly archetype: string
  readonly chart: Chart
  /** As SVG with as few words as possible, and with all of them. */
  readonly compact: string
  readonly full: string
}

/** What of a team the page may have to ask for again. */
export type Part = 'life' | 'mail' | 'findings' | 'sessions' | 'log' | 'deliverable' | 'changes'

export interface Change {
  readonly rows: readonly TeamNews[]
  readonly touched: Readonly<Record<string, readonly Part[]>>
  /** All teams in order, where that changed. */
  readonly order?: readonly string[]
  /** What `meta` has, where that changed. */
  readonly meta?: ShownMail
}
