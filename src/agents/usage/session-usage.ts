import { statSync } from 'node:fs'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { amountInWords } from '../../protocol/budget.ts'
import { isRunning } from '../../platform/process/process-identity.ts'
import { presentMs } from '../../protocol/clock.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { Team } from '../../federation/team.ts'
import { listSessions, type Session } from '../sessions/session-record.ts'
import { readUsage, reportsFile } from '../sessions/session-reports.ts'

/** What was used up: US dollars and tokens where agents tell them, and time in milliseconds. */
export interface Spent {
  /** Undefined where no agent told it. */
  readonly cost: number | undefined
  readonly tokens: number | undefined
  readonly timeMs: number
  readonly sessions: number
}

export const nothingSpent: Spent = { cost: undefined, tokens: undefined, timeMs: 0, sessions: 0 }

/** The sum; what is unknown of one is left out of it. */
export function sumOfSpent(all: readonly Spent[]): Spent {
  const sum = (one: number | undefined, other: number | undefined) =>
    one === undefined ? other : one + (other ?? 0)
  return all.reduce(
    (before, { cost, tokens, timeMs, sessions }) => ({
      cost: sum(before.cost, cost),
      tokens: sum(before.tokens, tokens),
      timeMs: before.timeMs + timeMs,
      sessions: before.sessions + sessions,
    }),
    nothingSpent,
  )
}

/** The day of a time, by the calendar of UTC: `2026-11-23`. */
export function dayOf(time: number | string): string {
  return new Date(time).toISOString().slice(0, 'YYYY-MM-DD'.length)
}

/**
 * What a session used up, by day. It counts as a session of the day on which it began.
 * @param dir folder of its records.
 */
export function usageByDay(dir: string, session: Session): Map<string, Spent> {
  const days = new Map<string, Spent>()
  const add = (day: string, more: Partial<Spent>) =>
    days.set(day, sumOfSpent([days.get(day) ?? nothingSpent, { ...nothingSpent, ...more }]))
  const begun = Date.parse(session.at)
  add(dayOf(begun), { sessions: 1 })
  const end = endOf(dir, session)
  for (let from = begun; from < end;) {
    const midnight = Date.parse(dayOf(from)) + 86_400_000
    add(dayOf(from), { timeMs: Math.min(end, midnight) - from })
    from = midnight
  }
  const known = { tokens: 0, cost: 0 }
  // of what cannot be read nobody knows what it told
  for (const { at, usage } of unless(FedError, () => readUsage(dir, session)) ?? []) {
    for (const figure of ['tokens', 'cost'] as const) {
      const amount = usage[figure]
      if (amount === undefined) continue
      add(dayOf(at), { [figure]: amount - known[figure] })
      known[figure] = amount
    }
  }
  return days
}

/** What a session used up so far. */
export function usageOf(dir: string, session: Session): Spent {
  return sumOfSpent([...usageByDay(dir, session).values()])
}

/** What the present mission's sessions used up so far, also of one that is still under way. */
export function spentByMission(team: Team): Spent {
  const { sessions: dir } = workspaceLayout(team.actor.workspace)
  const { missionNumber } = team.present()
  return sumOfSpent(
    (unless(FedError, () => listSessions(dir)) ?? [])
      .filter(({ mission }) => mission === missionNumber)
      .map((session) => usageOf(dir, session)),
  )
}

/**
 * When a session ended, in milliseconds since 1970; of one that runs, now. The end of one that was lost with its launcher
 * is recorded by whoever finds it, maybe days later, or not yet: it ended at its last word.
 */
function endOf(dir: string, session: Session): number {
  const { end } = session
  if (end === undefined && isRunning(session.process)) return presentMs()
  if (end !== undefined && end.cause !== 'lost') return Date.parse(end.at)
  const times = [session.log, reportsFile(dir, session)].flatMap(
    (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? [],
  )
  return Math.max(Date.parse(session.at), ...times)
}

/** `1.20 US dollars, 34000 tokens, 12.3 minutes in 2 sessions` */
export function describeSpent({ cost, tokens, timeMs, sessions }: Spent): string {
  if (sessions === 0) return 'nothing, no agent has worked yet'
  return `${figuresInWords({ cost, tokens, timeMs })} in ${sessions === 1 ? '1 session' : `${sessions} sessions`}`
}

/** `1.20 US dollars, 34000 tokens, 12.3 minutes`; what nobody told is left out. */
export function figuresInWords({ cost, tokens, timeMs }: Omit<Spent, 'sessions'>): string {
  return [
    ...(cost === undefined ? [] : [amountInWords('cost', cost)]),
    ...(tokens === undefined ? [] : [amountInWords('tokens', tokens)]),
    `${(timeMs / 60_000).toFixed(1)} minutes`,
  ].join(', ')
}
