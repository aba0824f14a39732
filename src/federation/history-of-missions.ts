import type { TeamContext } from '../../machines/team-event.ts'
import type { Handled, Lifecycle } from '../engine/decide/lifecycle.ts'
import { readPresent } from '../engine/step/present.ts'
import { versionsAfter } from '../engine/step/versions-after.ts'
import type { Actor } from '../engine/step/world.ts'

/** One handled signal; what `fed history T --json` prints. */
export interface HistoryEntry extends Omit<Handled, 'at'> {
  readonly version: number
  readonly mission: number
  /** Time of the commit, ISO 8601. */
  readonly at: string
}

/** One mission of a team. */
export interface MissionHistory {
  readonly number: number
  /** What it was about; undefined where the team was given none. */
  readonly subject: string | undefined
  /** Every signal that it handled, in order. */
  readonly entries: readonly HistoryEntry[]
}

/** Every signal that the present mission handled, in order. */
export function presentHistory(actor: Actor): HistoryEntry[] {
  const { lifecycle } = actor
  const { mission } = readPresent(actor).head.content
  return (
    lifecycle
      .versions()
      .flatMap((version) => lifecycle.version(version) ?? [])
      // a reset that was killed has not put all of the earlier one away yet
      .filter((commit) => commit.mission === mission)
      .flatMap(entriesOf)
  )
}

/**
 * Every mission of a team, with those that resets put away, in order.
 * @throws {CorruptDocumentError} naming the commit that is damaged.
 */
export function missionHistories(actor: Pick<Actor, 'workspace' | 'lifecycle'>): MissionHistory[] {
  const missions = new Map<number, { subject: string | undefined; entries: HistoryEntry[] }>()
  for (const { read } of versionsAfter(actor, 0)) {
    const commit = read()
    if (commit === undefined) continue
    const known = missions.get(commit.mission) ?? { subject: undefined, entries: [] }
    const { mission } = commit.snapshot.context as Partial<TeamContext>
    known.subject = mission?.subject ?? known.subject
    known.entries.push(...entriesOf(commit))
    missions.set(commit.mission, known)
  }
  return [...missions].map(([number, mission]) => ({ number, ...mission }))
}

function entriesOf({ handled, version, mission, at }: Lifecycle): HistoryEntry[] {
  return handled.map((entry) => ({ ...entry, version, mission, at }))
}
