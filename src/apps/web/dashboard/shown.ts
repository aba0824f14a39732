// Types of what the server sends to the page, for both sides; no code. Times are milliseconds since 1970,
// states the names of a machine's leaves.
import type { HealthFinding } from '../../../monitor/health-finding.ts'
import type { BranchWork } from '../../../platform/git/branch-work.ts'
import type { Chart } from '../../../diagram/chart.ts'
import type { LogPart } from './log.ts'
import type { RegistryStatus } from '../../../protocol/registry-schema.ts'
import type { SignalType } from '../../../protocol/signal.ts'

/** What does not change while the dashboard runs. */
export interface ShownFederation {
  readonly name: string
  readonly root: string
  readonly description: string
  /** Digest of the page's own files: a page of another build loads itself anew. */
  readonly build: string
  readonly deliverable: string
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
  /** That version. */
  readonly until: number
  readonly segments: readonly Segment[]
  /** Times of refused events. */
  readonly refusals: readonly number[]
  readonly missions: readonly ShownMission[]
}

/** What the versions after `after` added to a past; all of it where `after` is 0. */
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
  /** Null for a team whose missions leave neither. */
  readonly product: Product | null
  /** Signals without an acknowledgment. */
  readonly waiting: number
  readonly quarantined: number
  /** Whether an agent runs. */
  readonly working: boolean
  /** The address from which it waits for an answer; null where it waits for none. */
  readonly asks: string | null
  readonly findings: readonly Pick<HealthFinding, 'kind' | 'message' | 'fix'>[]
  /** The leaves of its machine on the usual way to the end, in order. */
  readonly spine: readonly string[]
}

/** What is sent of a team when it changes: each part of its past once. */
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
  /** Undefined where they are the same as in the commit before. */
  readonly words?: MissionWords
}

/** What a team was told to do. */
export interface MissionWords {
  readonly subject: string
  readonly body: string
  /** Only those that came with this commit. */
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
  /** Where the team moved, for a report that says no more than that; else null. */
  readonly move: { readonly from: string; readonly to: string } | null
  /** When it was acknowledged; null where it was not. */
  readonly acknowledged: number | null
}

export interface ShownMail {
  /** The newest signals, in ascending order. */
  readonly signals: readonly ShownSignal[]
  /** How many older ones are not among them. */
  readonly left: number
  /** Whether the list is enough for every earlier moment: no signal was left out or archived. */
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
  /** What it used up, in words, and what its mission did until then. */
  readonly used: string
  readonly usedByMission: string
  /** Whether walls held it. */
  readonly isConfined: boolean
  /** The same in words, with the reason where it was open. */
  readonly hold: string
}

/** A part of a session's log. */
export interface ShownLog extends LogPart {
  /** Whether it ends where the log did at the moment asked for; false where no times were recorded. */
  readonly isAsThen: boolean
}

export interface ShownDeliverable {
  readonly file: string
  readonly at: number
  readonly bytes: number
  /** Rendered from Markdown, whose own HTML is left out; empty where only a note can be shown. */
  readonly html: string
  readonly note: string
}

/** Why a part cannot be shown, in words for a person. */
export interface Fault {
  readonly fault: string
}

/** What was done on a team's branch for its mission. */
export interface ShownChanges extends BranchWork {
  readonly branch: string
  /** Where it is to be merged. */
  readonly target: string
}

/** An event that a team's machine takes now, with what is still missing for it. */
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

/** The parts of a team that the page may have to load again. */
export type Part = 'life' | 'mail' | 'findings' | 'sessions' | 'log' | 'deliverable' | 'changes'

export interface Change {
  readonly rows: readonly TeamNews[]
  readonly touched: Readonly<Record<string, readonly Part[]>>
  /** All teams in order, where that changed. */
  readonly order?: readonly string[]
  /** What `meta` has, where that changed. */
  readonly meta?: ShownMail
  /** Teams of other sites, where what is known of them changed. */
  readonly elsewhere?: ShownElsewhere
}

/** The other sites' teams, as they were read. */
export interface ShownElsewhere {
  /** When everything that the servers had was read; null where it never was. */
  readonly readAt: number | null
  readonly teams: readonly {
    readonly team: string
    readonly site: string
    readonly archetype: string
    readonly state: string | null
    readonly subject: string
    /** When its site wrote that, by that one's clock. */
    readonly at: number
  }[]
}
