import type { Config } from '../../protocol/config-schema.ts'
import { presentMs } from '../../protocol/clock.ts'
import { readBudget, type Budget, type BudgetScope } from '../../protocol/budget.ts'
import type { Team } from '../../federation/team.ts'
import type { Usage } from '../sessions/session-reports.ts'
import { readUsage } from '../sessions/session-reports.ts'
import { sessionsOfFederation, sessionsOfTeam, type PlacedSession } from './all-sessions.ts'
import { dayOf, nothingSpent, sumOfSpent, usageByDay, type Spent } from './session-usage.ts'

/** A budget, and whose it is. */
export interface Limit {
  readonly scope: BudgetScope
  readonly budget: Budget
  /** Whether it was given to the launch; else it stands in the configuration. */
  readonly isOption: boolean
}

/** What was used up of a limit: in all, and by which teams. */
export interface Used {
  readonly limit: Limit
  readonly amount: number
  readonly byTeam: ReadonlyMap<string, number>
}

const scopes = ['mission', 'team', 'federation'] as const

/** All limits of a launch: what it was given, and what the configuration says. */
export function limitsFor({ budget: budgets = {} }: Pick<Config, 'budget'>, option?: Budget): Limit[] {
  const configured = scopes.flatMap((scope) =>
    [budgets[scope] ?? []]
      .flat()
      .flatMap((text) => readBudget(text) ?? [])
      .map((budget) => ({ scope, budget, isOption: false })),
  )
  return option === undefined
    ? configured
    : [{ scope: 'mission', budget: option, isOption: true }, ...configured]
}

/** What others used up is looked at again after so long, in milliseconds, or after so many times what a look took. */
const lookMs = 2000
const lookShare = 20

/** What a team may still use up, under each of its limits. */
export class Allowance {
  readonly #team: Team
  readonly #limits: readonly Limit[]
  #looked: { readonly until: number; readonly used: readonly Used[]; readonly own: Usage } | undefined

  constructor(team: Team, limits: readonly Limit[]) {
    this.#team = team
    this.#limits = limits
  }

  /** A limit that is used up without a session that runs; undefined where none is. */
  spent(): Used | undefined {
    this.#looked = undefined
    return this.#look()?.used.find(({ limit, amount }) => amount >= limit.budget.amount)
  }

  /** The limit that a session which has used up so much is over; undefined where it is over none. */
  over(usage: Usage): Used | undefined {
    const looked = this.#look()
    return looked?.used
      .map((used) => ({ ...used, amount: used.amount + this.#ofSession(used.limit, usage, looked.own) }))
      .find(({ limit, amount }) => amount >= limit.budget.amount)
  }

  /** The limit of one kind of which the least is left; undefined without a limit of it. */
  tightest(kind: Budget['kind']): Used | undefined {
    const restOf = ({ limit, amount }: Used) => limit.budget.amount - amount
    return this.#look()
      ?.used.filter(({ limit }) => limit.budget.kind === kind)
      .toSorted((one, other) => restOf(one) - restOf(other))[0]
  }

  /** What is left of that one; undefined without a limit of the kind. */
  rest(kind: Budget['kind']): number | undefined {
    const tightest = this.tightest(kind)
    return tightest && Math.max(0, tightest.limit.budget.amount - tightest.amount)
  }

  #ofSession({ budget: { kind, perDay } }: Limit, usage: Usage, before: Usage): number {
    if (kind === 'time') return 0
    return (usage[kind] ?? 0) - (perDay ? (before[kind] ?? 0) : 0)
  }

  /** What was used up but for the team's running session, and what that one had used up before today. */
  #look() {
    if (this.#limits.length === 0) return undefined
    const began = performance.now()
    if (this.#looked !== undefined && this.#looked.until > began) return this.#looked
    const { actor, id } = this.#team
    const isWide = this.#limits.some(({ scope }) => scope === 'federation')
    const all = isWide ? sessionsOfFederation(actor.world) : sessionsOfTeam(id, actor.workspace)
    const isOwn = ({ team, session }: PlacedSession) => team === id && session.end === undefined
    const others = all
      .filter((one) => !isOwn(one))
      .map((one) => ({ ...one, days: usageByDay(one.dir, one.session) }))
    const { missionNumber } = this.#team.present()
    const used = this.#limits.map((limit) => {
      const meant = others.filter(
        ({ team, session }) =>
          limit.scope === 'federation' ||
          (team === id && (limit.scope === 'team' || session.mission === missionNumber)),
      )
      return usedOf(limit, meant)
    })
    const running = all.find(isOwn)
    const own = running === undefined ? {} : usageBeforeToday(running)
    const took = performance.now() - began
    this.#looked = { until: performance.now() + Math.max(lookMs, lookShare * took), used, own }
    return this.#looked
  }
}

function usedOf(
  limit: Limit,
  sessions: readonly { readonly team: string; readonly days: ReadonlyMap<string, Spent> }[],
): Used {
  const { kind, perDay } = limit.budget
  const today = dayOf(presentMs())
  const byTeam = new Map<string, number>()
  for (const { team, days } of sessions) {
    const spent = perDay ? (days.get(today) ?? nothingSpent) : sumOfSpent([...days.values()])
    const amount = (kind === 'time' ? spent.timeMs : spent[kind]) ?? 0
    if (amount > 0) byTeam.set(team, (byTeam.get(team) ?? 0) + amount)
  }
  return { limit, amount: [...byTeam.values()].reduce((sum, one) => sum + one, 0), byTeam }
}

function usageBeforeToday({ dir, session }: PlacedSession): Usage {
  const today = dayOf(presentMs())
  const told = readUsage(dir, session).filter(({ at }) => dayOf(at) < today)
  return told.reduce<Usage>((usage, { usage: later }) => ({ ...usage, ...later }), {})
}
