import { v5 as uuidOf } from 'uuid'
import { RefusedError, UsageError } from '../../errors/fed-error.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { META } from '../../protocol/team-id.ts'
import { compose } from '../../records/signals/compose.ts'
import { deliverAll } from '../../records/signals/deliver.ts'
import type { Team } from '../../federation/team.ts'
import type { AgentDriver } from '../drivers/driver.ts'
import { listSessions, type SessionRecord } from './session-record.ts'
import { readReports, type Usage } from './session-reports.ts'
import { endOf } from './mission-usage.ts'

/** What a mission may use up: US dollars or tokens as far as its agent reports them, or time in milliseconds. */
export interface Budget {
  readonly kind: 'cost' | 'tokens' | 'time'
  readonly amount: number
}

/** Namespace of the ids by which `meta` hears of a budget. */
const NAMESPACE = '0c8de3a8-7a5e-4b62-8f0b-5f7f0f5b8f5d'

/** A budget as people write it. */
function described(kind: Budget['kind'], amount: number): string {
  if (kind === 'cost') return `${amount.toFixed(2)} US dollars`
  if (kind === 'tokens') return `${amount} tokens`
  return amount < 60_000 ? `${(amount / 1000).toFixed(1)} seconds` : `${(amount / 60_000).toFixed(1)} minutes`
}

/** How a budget of each kind is called and written. */
const kinds: Readonly<Record<Budget['kind'], { readonly name: string; readonly example: string }>> = {
  cost: { name: 'money', example: '2.50usd' },
  tokens: { name: 'tokens', example: '200000tokens' },
  time: { name: 'minutes', example: '45min' },
}

/** @throws {UsageError} when the agent does not tell what it uses up of that kind. */
export function assertMeasurable(
  agent: string,
  { tells }: Pick<AgentDriver, 'tells'>,
  { kind }: Budget,
): void {
  if (kind === 'time' || tells.includes(kind)) return
  const possible = [...tells, 'time' as const].map((one) => kinds[one])
  const list = (words: readonly string[]) => words.join(' or ')
  throw new UsageError(
    `--budget: '${agent}' does not tell what ${kinds[kind].name} it uses up; give it in ${list(possible.map(({ name }) => name))}, such as ${list(possible.map(({ example }) => example))}`,
  )
}

/** What the present mission's sessions used up so far. */
function spentOf(team: Team, kind: Budget['kind']): number {
  const { sessions } = workspaceLayout(team.actor.workspace)
  const { missionNumber } = team.present()
  return listSessions(sessions)
    .filter(({ mission, end }) => mission === missionNumber && end !== undefined)
    .reduce((sum, session) => {
      if (kind !== 'time') return sum + (readReports(sessions, session).usage?.[kind] ?? 0)
      return sum + Math.max(0, endOf(sessions, session) - Date.parse(session.at))
    }, 0)
}

/** What is left for the next session. */
export interface Allowance {
  /** Whether what the session used up so far is more than it may. */
  readonly isOver: (usage: Usage) => boolean
  /** Milliseconds that it may take; undefined for any. */
  readonly timeMs: number | undefined
  /** Whether nothing is left. */
  readonly isSpent: boolean
}

/** Without a budget. */
export const anything: Allowance = { isOver: () => false, timeMs: undefined, isSpent: false }

/** What a mission's next session may use up. */
export function allowanceFor(team: Team, budget: Budget | undefined): Allowance {
  if (budget === undefined) return anything
  const { kind, amount } = budget
  const rest = amount - spentOf(team, kind)
  return {
    isOver: (usage) => kind !== 'time' && (usage[kind] ?? 0) > rest,
    timeMs: kind === 'time' ? rest : undefined,
    isSpent: rest <= 0,
  }
}

/** Why a mission that used up its budget is not worked on. */
export function spentAlready(team: Team, { kind, amount }: Budget): RefusedError {
  const spent = described(kind, spentOf(team, kind))
  return new RefusedError(
    `${team.id}'s mission has used up ${spent} already, and may use up ${described(kind, amount)}; give a larger --budget`,
  )
}

/**
 * Pauses a team whose mission used up its budget, and tells `meta` why.
 * @returns the same for whoever launched it.
 */
export async function pauseOverBudget(
  team: Team,
  record: SessionRecord,
  budget: Budget,
): Promise<RefusedError> {
  const { kind, amount } = budget
  const words = `it has used up ${described(kind, spentOf(team, kind))}, and may use up ${described(kind, amount)}`
  const next = `'fed resume ${team.id}' and 'fed launch --team ${team.id}' with a larger --budget go on`
  await team.direct('pause', `Over budget: ${words}`)
  const meta = team.actor.world.mailboxOf(META)
  if (meta !== undefined) {
    const signal = compose({
      from: team.id,
      to: META,
      type: 'alert',
      subject: 'Budget used up',
      body: `The mission of '${team.id}' is paused: ${words}. ${next}.`,
      id: uuidOf(`${team.id}/${record.mission}-${record.number}/budget`, NAMESPACE),
    })
    await deliverAll([{ signal, from: team.mailbox, to: meta }])
  }
  return new RefusedError(`${team.id} is paused: ${words}; ${next}`)
}
