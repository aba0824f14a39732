import type {
  Segment,
  ShownAcceptance,
  ShownChart,
  ShownCommit,
  ShownDeliverable,
  ShownFederation,
  ShownLearning,
  ShownLog,
  ShownMail,
  ShownSession,
  Stance,
  TeamRow,
} from '../shown.ts'

export const META = 'meta'
export const tabs = ['history', 'mailbox', 'findings', 'document'] as const
export type Tab = (typeof tabs)[number]

/** Output of one session, as far as it was read. */
interface KnownLog {
  readonly text: string
  /** In bytes. */
  readonly from: number
  readonly to: number
}

/** What is known of the team that is looked at. */
export interface Detail {
  readonly team: string
  commits: readonly ShownCommit[]
  mail: ShownMail | undefined
  learnings: readonly ShownLearning[]
  sessions: readonly ShownSession[]
  accepts: readonly ShownAcceptance[]
  readonly logs: Map<string, KnownLog>
  /** A log as it was at the moment that is shown, while its session ran. */
  logThen: { readonly session: string; readonly log: ShownLog } | undefined
  /** By the mission's number; null where there is none. */
  readonly deliverables: Map<number, ShownDeliverable | null>
}

export interface Dialog {
  readonly kind: 'send' | 'reply' | 'chart' | 'help'
  readonly address: string
  /** What is answered. */
  readonly signal?: {
    readonly file: string
    readonly from: string
    readonly subject: string
    readonly body: string
  }
}

/** Everything that the page shows. */
export interface Model {
  federation: ShownFederation | undefined
  isConnected: boolean
  /** When the connection was lost: what is shown is as it was then. */
  lostAt: number | undefined
  order: readonly string[]
  readonly rows: Map<string, TeamRow>
  meta: ShownMail
  readonly charts: Map<string, ShownChart>
  selected: string | undefined
  detail: Detail | undefined
  /** The moment that is shown; undefined is now. */
  moment: number | undefined
  /** What the timeline shows; undefined follows what happened. */
  range: { readonly from: number; readonly to: number } | undefined
  tab: Tab
  filter: string
  dialog: Dialog | undefined
  /** Said once: what was done, or why not. */
  notice: { readonly text: string; readonly isBad: boolean } | undefined
  /** Narrow pages show the list or one team. */
  isListShown: boolean
}

export const model: Model = {
  federation: undefined,
  isConnected: false,
  lostAt: undefined,
  order: [],
  rows: new Map(),
  meta: { signals: [], left: 0, quarantined: [] },
  charts: new Map(),
  selected: undefined,
  detail: undefined,
  moment: undefined,
  range: undefined,
  tab: 'history',
  filter: '',
  dialog: undefined,
  notice: undefined,
  isListShown: true,
}

/** The latest moment of which anything is known, in milliseconds since the epoch. */
export function present(): number {
  return model.lostAt ?? Date.now()
}

/** The moment that is shown. */
export function shownMoment(): number {
  return model.moment ?? present()
}

/** A team at one moment. */
export interface Standing {
  readonly state: string | null
  readonly stance: Stance | null
  readonly since: number
  readonly mission: number
  readonly subject: string
  readonly refused: number
}

/** Where a team stood at a moment; undefined before its first. */
export function standingAt(row: TeamRow, moment: number): Standing | undefined {
  const index = lastAtOrBefore(row.segments, moment)
  const segment = row.segments[index]
  if (segment === undefined) return undefined
  const { state, stance, at, mission } = segment
  const from = row.missions.find(({ number }) => number === mission)
  return {
    ...{ state, stance, since: at, mission },
    subject: from?.subject ?? '',
    refused: row.refusals.filter((time) => time <= moment && time >= (from?.at ?? 0)).length,
  }
}

/** Position of the last of some times in order that is not later; -1 where there is none. */
function lastAtOrBefore(times: readonly { readonly at: number }[], moment: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle]?.at ?? Infinity) <= moment) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** The segments of one mission up to a moment. */
export function wayOf({ segments }: TeamRow, mission: number, moment: number): Segment[] {
  return segments.filter((segment) => segment.mission === mission && segment.at <= moment)
}

export type Tone = 'early' | 'second' | 'third' | 'late' | 'done' | 'failed' | 'paused' | 'aside' | 'none'

/** By what a state is coloured: how far it is on the way, and how it ended. */
export function toneOf(spine: readonly string[], state: string | null, stance: Stance | null): Tone {
  if (state === null) return 'none'
  if (stance === 'paused') return 'paused'
  const place = spine.indexOf(state)
  if (stance === 'finished') return place >= 0 || state === 'retired' ? 'done' : 'failed'
  if (place < 0) return 'aside'
  const last = Math.max(1, spine.length - 1)
  return (
    (['early', 'second', 'third', 'late'] as const)[Math.min(3, Math.floor((place / last) * 4))] ?? 'late'
  )
}

/** Moments at which anything happened to a team. */
export function momentsOf({ segments, refusals }: TeamRow): number[] {
  return [...new Set([...segments.map(({ at }) => at), ...refusals])].toSorted((a, b) => a - b)
}

/** The time from the first to the last that is known. */
export function wholeRange(): { from: number; to: number } {
  const to = present()
  let from = to
  for (const { segments } of model.rows.values()) from = Math.min(from, segments[0]?.at ?? to)
  return { from, to }
}

/** What the timeline shows: what was chosen, or the missions under way, or else all. */
export function shownRange(): { readonly from: number; readonly to: number } {
  if (model.range !== undefined) return model.range
  const { from: first, to } = wholeRange()
  const day = 86_400_000
  const length = Math.max(20_000, to - Math.max(first, to - day))
  return { from: to - length - length * 0.02, to }
}
