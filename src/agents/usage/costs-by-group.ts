import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import type { CostGroup } from '../../protocol/cost-groups.ts'
import { readReports } from '../sessions/session-reports.ts'
import type { PlacedSession } from './all-sessions.ts'
import { sumOfSpent, usageByDay, type Spent } from './session-usage.ts'

/** What was used up, by one group; the sessions of which it is unknown are in none of the figures. */
interface Cost {
  /** A team's id, `<team>/<mission>` (with which team of the name it was, of one that is gone), an agent, a model, or a day by the calendar of UTC. */
  readonly name: string
  /** Sessions that worked then; on a day those that began on it. */
  readonly sessions: number
  readonly timeMs: number
  /** Null where no agent told it. */
  readonly tokens: number | null
  /** In US dollars, as agents told it; null where none did. */
  readonly cost: number | null
  /** Number of sessions whose agents told nothing of it. */
  readonly unknown: { readonly tokens: number; readonly cost: number }
}

export interface Costs {
  readonly by: CostGroup
  readonly rows: readonly Cost[]
  readonly total: Cost
}

/** What a model is called where neither the launch nor the agent named one. */
const NOT_TOLD = 'not told'

interface Part extends PlacedSession {
  readonly day: string
  readonly spent: Spent
  /** What its agent told of it, on whichever day. */
  readonly isKnown: Readonly<Record<'tokens' | 'cost', boolean>>
}

/**
 * What sessions used up, put together.
 * @param since the first day that counts, such as `2026-11-23`; without it all.
 */
export function costsOf(sessions: readonly PlacedSession[], by: CostGroup, since = ''): Costs {
  const parts = sessions.flatMap((one): Part[] => {
    const days = [...usageByDay(one.dir, one.session)]
    const { tokens, cost } = sumOfSpent(days.map(([, spent]) => spent))
    // the embedded agent asks no model
    const isFree = one.session.agent === EMBEDDED_AGENT
    const isKnown = { tokens: isFree || tokens !== undefined, cost: isFree || cost !== undefined }
    return days.filter(([day]) => day >= since).map(([day, spent]) => ({ ...one, day, spent, isKnown }))
  })
  const groups = new Map<string, Part[]>()
  for (const part of parts) {
    const name = nameOf(part, by)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [part])
    else group.push(part)
  }
  const rows = [...groups]
    .toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }))
    .map(([name, group]) => costOf(name, group))
  return { by, rows, total: costOf('total', parts) }
}

function nameOf({ team, former, dir, session, day }: Part, by: CostGroup): string {
  switch (by) {
    case 'team':
      return team
    case 'mission':
      return `${team}/${session.mission}${former === undefined ? '' : ` (offboarded team ${former})`}`
    case 'agent':
      return session.agent
    case 'model':
      return session.profile.model ?? unless(FedError, () => readReports(dir, session).model) ?? NOT_TOLD
    case 'day':
      return day
  }
}

function costOf(name: string, parts: readonly Part[]): Cost {
  const { sessions, timeMs, tokens, cost } = sumOfSpent(parts.map(({ spent }) => spent))
  const unknown = (figure: 'tokens' | 'cost') =>
    new Set(
      parts
        .filter(({ isKnown }) => !isKnown[figure])
        .map(({ dir, session }) => `${dir}/${session.mission}-${session.number}`),
    ).size
  const ofNobody = (figure: 'tokens' | 'cost') => (unknown(figure) === 0 ? 0 : null)
  return {
    name,
    sessions,
    timeMs: Math.round(timeMs),
    tokens: tokens ?? ofNobody('tokens'),
    cost: cost ?? ofNobody('cost'),
    unknown: { tokens: unknown('tokens'), cost: unknown('cost') },
  }
}

/** Costs as cells of a table, with their head. */
export function costCells({ by, rows, total }: Costs): string[][] {
  const cells = (one: Cost) => [
    one.name,
    String(one.sessions),
    `${(one.timeMs / 60_000).toFixed(1)} min`,
    figureText(one.tokens, one.unknown.tokens, (tokens) => String(tokens)),
    figureText(one.cost, one.unknown.cost, (cost) => cost.toFixed(cost < 1 ? 4 : 2)),
  ]
  return [[by, 'sessions', 'time', 'tokens', 'US dollars'], ...rows.map(cells), cells(total)]
}

function figureText(amount: number | null, unknown: number, text: (amount: number) => string): string {
  if (amount === null) return 'unknown'
  return unknown === 0 ? text(amount) : `${text(amount)}, and ${unknown} unknown`
}
