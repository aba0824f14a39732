import { model, toneOf, type TeamRow, type Tone } from './page-model.ts'
import { shownMoment, standingAt } from './moment.ts'

/** Most teams that are shown without groups; more stand in groups by their state. */
const mostAtOnce = 12

/** Teams in the same state. */
export interface Group {
  /** A state, or what is to be said instead of it; empty where all teams are one group. */
  readonly name: string
  readonly tone: Tone
  readonly rows: readonly TeamRow[]
}

/** Teams in groups, those that may need somebody first; a few as one group, in the registry's order. */
export function shownGroups(): Group[] {
  const rows = teamsThatFit()
  if (!isGrouped()) return [{ name: '', tone: 'none', rows }]
  return groupsOf(rows).filter(({ name }) => model.group === undefined || name === model.group)
}

/** All groups that the filter lets through, also when one alone is shown. */
export function allGroups(): Group[] {
  return isGrouped() ? groupsOf(teamsThatFit()) : []
}

/** The teams that are shown, in their order. */
export function shownTeams(): TeamRow[] {
  return shownGroups().flatMap(({ rows }) => rows)
}

/** Whether nothing was begun for the mission that a team has at the moment that is shown. */
export function isNotStarted(row: TeamRow): boolean {
  if (row.started) return false
  const standing = standingAt(row, shownMoment())
  return standing?.state === row.state && standing.mission === row.missions.at(-1)?.number
}

/** Whether there are so many teams that they stand in groups. */
export function isGrouped(): boolean {
  return model.order.length > mostAtOnce
}

/** Name and tone of a team's group at the moment that is shown; groups with a lower rank come first. */
function placeOf(row: TeamRow): { readonly name: string; readonly tone: Tone; readonly rank: number } {
  const isLive = model.moment === undefined
  const standing = standingAt(row, shownMoment())
  const [state, phase] = isLive ? [row.state, row.phase] : [standing?.state ?? null, standing?.phase ?? null]
  if (isLive && row.status === 'archived') return { name: 'archived', tone: 'none', rank: 7 }
  if (state === null)
    return isLive
      ? { name: 'unreadable', tone: 'failed', rank: 0 }
      : { name: 'not yet there', tone: 'none', rank: 8 }
  if (isNotStarted(row)) return { name: 'not started', tone: 'none', rank: 5 }
  const tone = toneOf(row.spine, state, phase)
  const share = Math.max(0, row.spine.indexOf(state)) / Math.max(1, row.spine.length)
  return { name: state, tone, rank: ranks[tone] ?? 3 + share }
}

/** Ranks of groups by their tone; those of teams at work are not listed: they get 3 to 4, by progress. */
const ranks: Partial<Record<Tone, number>> = { failed: 1, aside: 2, paused: 4, done: 6 }

function groupsOf(rows: readonly TeamRow[]): Group[] {
  const groups = new Map<string, Group & { readonly rank: number; readonly rows: TeamRow[] }>()
  for (const row of rows) {
    const { name, tone, rank } = placeOf(row)
    const group = groups.get(name) ?? { name, tone, rank, rows: [] }
    group.rows.push(row)
    groups.set(name, group)
  }
  return [...groups.values()].toSorted((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1))
}

/** The teams that the filter lets through, in the registry's order. */
function teamsThatFit(): TeamRow[] {
  const words = model.filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const rows = model.order.flatMap((team) => model.rows.get(team) ?? [])
  return words.length === 0 ? rows : rows.filter((row) => words.every((word) => textOf(row).includes(word)))
}

function textOf(row: TeamRow): string {
  const standing = standingAt(row, shownMoment())
  return [
    ...[row.team, row.archetype, row.status, standing?.state ?? 'unreadable', standing?.subject ?? ''],
    ...(row.working ? ['running'] : []),
    ...(row.waiting > 0 ? ['waiting'] : []),
    ...(isNotStarted(row) ? ['not started'] : []),
    ...row.findings.map(({ kind }) => `unhealthy ${kind}`),
  ]
    .join(' ')
    .toLowerCase()
}
