import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import type { Config } from '../../protocol/config-schema.ts'
import { isRunning } from '../../platform/process/process-identity.ts'
import { presentMs } from '../../protocol/clock.ts'
import { readBudget, type Budget, type BudgetScope } from '../../protocol/budget.ts'
import { claim } from '../../platform/storage/claim.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import type { Team } from '../../federation/team.ts'
import type { Usage } from '../sessions/session-reports.ts'
import { readUsage } from '../sessions/session-reports.ts'
import { sessionsOfFederation, sessionsOfTeam, type PlacedSession } from './all-sessions.ts'
import { dayOf, nothingSpent, sumOfSpent, usageByDay, type Spent } from './session-usage.ts'

/** The teams that share a goal's budget. */
export interface SharedGoal {
  /** The coordinator and its members. */
  readonly teams: ReadonlySet<string>
  /** When the goal was given, ISO 8601: what was used up before is another's. */
  readonly since: string
}

/** A budget, and whose it is. */
export interface Limit {
  readonly scope: BudgetScope | 'goal'
  readonly budget: Budget
  /** Whether it was given to the launch; else it stands in the configuration, or in `place`. */
  readonly isOption: boolean
  /** Where it stands, in words that a person finds it by. */
  readonly place?: string
  /** Whose it is, where it is a goal's. */
  readonly goal?: SharedGoal
}

/** What was used up of a limit: in all, and by which teams. */
export interface Used {
  readonly limit: Limit
  readonly amount: number
  readonly byTeam: ReadonlyMap<string, number>
  /** What sessions that run were told that they may use up besides, and how many run. */
  readonly reserved: number
  readonly running: number
}

/** So long it takes at most to record a session, in milliseconds. */
const longestClaimMs = 2000

/** A program that is told that it may cost nothing does not begin, in US dollars. */
const leastCost = 0.000_001

/** A part of a federation's budget for one session is at least so much of all of it: less is not worth a beginning. */
const leastShare = 0.1

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
    return this.#of(kind).toSorted((one, other) => restOf(one) - restOf(other))[0]
  }

  /**
   * What the next session may cost: of a federation's budget the half of what no other session may use up, so that
   * there is something for those that begin meanwhile.
   * @returns undefined without a limit in money.
   */
  mayCost(): number | undefined {
    // others may have begun since
    this.#looked = undefined
    const parts = this.#of('cost').map(({ limit, amount, reserved }) => {
      const free = Math.max(0, limit.budget.amount - amount - reserved)
      const isShared = isWide(limit) && this.#team.actor.world.registry.read().teams.length > 1
      return isShared ? Math.max(free / 2, Math.min(free, leastShare * limit.budget.amount)) : free
    })
    if (parts.length === 0) return undefined
    // others took what was left since it was looked at: the one answer that this costs shows it
    return Math.max(leastCost, Math.min(...parts))
  }

  /**
   * Has other processes wait that ask at the same moment what their session may cost, until `end` is called: by then
   * this one's stands in its record.
   */
  reserve(): { readonly mayCost: number | undefined; readonly end: () => void } {
    const { root } = this.#team.actor.world
    const isShared = this.#of('cost').some(({ limit }) => isWide(limit))
    const deadline = performance.now() + longestClaimMs
    let end: (() => void) | undefined
    if (!isShared) return { mayCost: this.mayCost(), end: () => undefined }
    while (end === undefined && performance.now() < deadline) {
      end = claim(federationLayout(root).fed, 'budget')
      if (end === undefined)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5 + 20 * Math.random())
    }
    return { mayCost: this.mayCost(), end: () => end?.() }
  }

  /** A limit of which all that is left may be used up by sessions that run; undefined where there is none. */
  held(): Used | undefined {
    return this.#of('cost').find(
      ({ limit, amount, reserved }) =>
        reserved > 0 && limit.budget.amount - amount - reserved < leastShare * limit.budget.amount,
    )
  }

  /**
   * How long a session may go on before somebody has to look again, in milliseconds; 0 where its time is over.
   * @param elapsedMs how long it has run.
   * @returns undefined without a limit in time.
   */
  timeLeft(elapsedMs: number): number | undefined {
    const present = presentMs()
    const today = present - Date.parse(dayOf(present))
    const parts = this.#of('time').map(({ limit, amount, running }) => {
      const { budget } = limit
      const own = budget.perDay ? Math.min(elapsedMs, today) : elapsedMs
      // all that run use it up at the same time, and others may begin
      const left = (budget.amount - amount - own) / (1 + running)
      return isWide(limit) ? Math.min(left, lookMs) : left
    })
    return parts.length === 0 ? undefined : Math.max(0, Math.min(...parts))
  }

  #of(kind: Budget['kind']): readonly Used[] {
    return (this.#look()?.used ?? []).filter(({ limit }) => limit.budget.kind === kind)
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
    const isAboutOthers = this.#limits.some(isWide)
    // damage of one team stops no other: of a record that cannot be read the reports count
    const all = isAboutOthers ? sessionsOfFederation(actor.world) : sessionsOfTeam(id, actor.workspace)
    const isOwn = ({ team, session }: PlacedSession) =>
      team === id && session.end === undefined && isRunning(session.process)
    const others = all
      .filter((one) => !isOwn(one))
      .map((one) => ({ ...one, days: usageByDay(one.dir, one.session) }))
    const { missionNumber } = this.#team.present()
    const used = this.#limits.map((limit) => {
      const meant = others.filter(
        ({ team, session }) =>
          limit.scope === 'federation' ||
          (limit.goal?.teams.has(team) === true && session.at >= limit.goal.since) ||
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

/** Whether several teams share a limit. */
function isWide({ scope }: Limit): boolean {
  return scope === 'federation' || scope === 'goal'
}

interface Counted extends PlacedSession {
  readonly days: ReadonlyMap<string, Spent>
}

function usedOf(limit: Limit, sessions: readonly Counted[]): Used {
  const { kind, perDay } = limit.budget
  const today = dayOf(presentMs())
  const byTeam = new Map<string, number>()
  for (const { team, days } of sessions) {
    const spent = perDay ? (days.get(today) ?? nothingSpent) : sumOfSpent([...days.values()])
    const amount = (kind === 'time' ? spent.timeMs : spent[kind]) ?? 0
    if (amount > 0) byTeam.set(team, (byTeam.get(team) ?? 0) + amount)
  }
  const atWork = sessions.filter(({ session }) => session.end === undefined && isRunning(session.process))
  const reserved = atWork.map(({ session, days }) =>
    kind === 'cost' ? Math.max(0, (session.mayCost ?? 0) - (sumOfSpent([...days.values()]).cost ?? 0)) : 0,
  )
  const sum = (amounts: Iterable<number>) => [...amounts].reduce((all, one) => all + one, 0)
  return { limit, amount: sum(byTeam.values()), byTeam, reserved: sum(reserved), running: atWork.length }
}

function usageBeforeToday({ dir, session }: PlacedSession): Usage {
  const today = dayOf(presentMs())
  const all = unless(FedError, () => readUsage(dir, session)) ?? []
  const told = all.filter(({ at }) => dayOf(at) < today)
  return told.reduce<Usage>((usage, { usage: later }) => ({ ...usage, ...later }), {})
}
