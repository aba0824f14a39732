// What the page shows is asked of the model's history at one moment: now, or whatever the timeline was moved to.
import type { Segment, ShownCommit, ShownMail, ShownSession, Phase } from '../shown.ts'
import { META, model, type Detail, type TeamRow } from './page-model.ts'

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
  readonly phase: Phase | null
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
  const { state, phase, at, mission } = segment
  const from = row.missions.find(({ number }) => number === mission)
  return {
    ...{ state, phase, since: at, mission },
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

/** The mission that is looked at. */
export function missionShown({ team }: Detail): number | undefined {
  const row = model.rows.get(team)
  return row === undefined ? undefined : standingAt(row, model.moment ?? Infinity)?.mission
}

/** Commits up to the moment that is shown. */
export function commitsShown({ commits }: Detail): readonly ShownCommit[] {
  const { moment } = model
  return moment === undefined ? commits : commits.filter(({ at }) => at <= moment)
}

/** The session that ran at the moment that is shown, or the last one before. */
export function sessionShown({ sessions }: Detail): ShownSession | undefined {
  const { moment } = model
  return sessions.findLast(({ at }) => moment === undefined || at <= moment)
}

/** Whether a session had ended at the moment that is shown. */
export function isOver({ end }: Pick<ShownSession, 'end'>): boolean {
  return end !== null && end.at <= shownMoment()
}

const noMail: ShownMail = { signals: [], left: 0, isWhole: true, quarantined: [] }

/** A mailbox as far as it is known now. */
export function mailNow(address: string): ShownMail {
  const { detail } = model
  return (address === META ? model.meta : detail?.team === address ? detail.mail : undefined) ?? noMail
}

/** A mailbox at the moment that is shown; what came later is not in it. */
export function mailShown(address: string): ShownMail {
  const now = mailNow(address)
  if (model.moment === undefined) return now
  const { signals, left, isWhole, quarantined } = now.isWhole ? now : (model.mailThen.get(address) ?? now)
  const moment = shownMoment()
  const hadCome = ({ at }: { readonly at: number }) => at <= moment
  return { signals: signals.filter(hadCome), left, isWhole, quarantined: quarantined.filter(hadCome) }
}
