import type {
  Fault,
  Past,
  Phase,
  Product,
  ShownAcceptance,
  ShownChanges,
  ShownChart,
  ShownCommit,
  ShownDeliverable,
  ShownElsewhere,
  ShownFederation,
  ShownLearning,
  ShownLog,
  ShownMail,
  ShownSession,
  TeamNews,
  TeamNow,
} from '../shown.ts'
import { remembered } from '../remembered.ts'

export const META = 'meta'
export type Tab = 'history' | 'mailbox' | 'findings' | Product

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
  /** Undefined until it is known how its team stands. */
  tab: Tab | undefined
  /** Whether what the tab shows has the room of everything beside it. */
  isLarge: boolean
  commits: readonly ShownCommit[]
  mail: ShownMail | undefined
  learnings: readonly ShownLearning[]
  sessions: readonly ShownSession[]
  accepts: readonly ShownAcceptance[]
  readonly logs: Map<string, KnownLog>
  /** A log as it was at the moment that is shown, while its session ran. */
  logThen: { readonly session: string; readonly log: ShownLog } | undefined
  /** Of a team with a branch; null where git has none. */
  changes: ShownChanges | Fault | null | undefined
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
  /** Teams of other sites; empty in a federation that is not linked. */
  elsewhere: ShownElsewhere
  /** What agents used up, by team, as cells of a table with their head. */
  costs: readonly (readonly string[])[]
  /** Mailboxes at the moment that is shown, where what is known now does not say it. */
  readonly mailThen: Map<string, ShownMail>
  readonly charts: Map<string, ShownChart>
  selected: string | undefined
  detail: Detail | undefined
  /** The moment that is shown; undefined is now. */
  moment: number | undefined
  /** What the timeline shows; undefined follows what happened. */
  range: { readonly from: number; readonly to: number } | undefined
  filter: string
  /** The group of teams that alone is shown; undefined shows all. */
  group: string | undefined
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
  meta: { signals: [], left: 0, isWhole: true, quarantined: [] },
  costs: [],
  elsewhere: { readAt: null, teams: [] },
  mailThen: new Map(),
  charts: new Map(),
  selected: undefined,
  detail: undefined,
  moment: undefined,
  range: undefined,
  filter: '',
  group: undefined,
  dialog: undefined,
  notice: undefined,
  isListShown: true,
}

export type Tone = 'early' | 'second' | 'third' | 'late' | 'done' | 'failed' | 'paused' | 'aside' | 'none'

/** By what a state is coloured: how far it is on the way, and how it ended. */
export function toneOf(spine: readonly string[], state: string | null, phase: Phase | null): Tone {
  if (state === null) return 'none'
  if (phase === 'paused') return 'paused'
  const place = spine.indexOf(state)
  if (phase === 'finished') return place >= 0 || state === 'retired' ? 'done' : 'failed'
  if (place < 0) return 'aside'
  const last = Math.max(1, spine.length - 1)
  return (
    (['early', 'second', 'third', 'late'] as const)[Math.min(3, Math.floor((place / last) * 4))] ?? 'late'
  )
}

/** A team in the list and in the timeline. */
export interface TeamRow extends TeamNow, Past {}

const nothing: Past = { until: 0, segments: [], refusals: [], missions: [] }

/** A team's row and what was told of it since; undefined where something between the two was never heard. */
export function rowWith(before: TeamRow | undefined, { past, ...now }: TeamNews): TeamRow | undefined {
  const known = past.after === 0 ? nothing : before
  return known?.until === past.after ? { ...now, ...joined(known, past) } : undefined
}

function joined(before: Past, { until, segments, refusals, missions }: Past): Past {
  // a list that did not grow stays the same, and nothing is drawn again because of it
  const added = <Each>(all: readonly Each[], more: readonly Each[]) =>
    more.length === 0 ? all : remembered([...all, ...more])
  const [begun] = missions
  return {
    until,
    segments: added(before.segments, segments),
    refusals: added(before.refusals, refusals),
    missions: added(
      before.missions.filter(({ number }) => begun === undefined || number < begun.number),
      missions,
    ),
  }
}
