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

/** What a mission may use up: US dollars or tokens, as far as its agent reports them, or milliseconds. */
export interface Budget {
  readonly kind: 'cost' | 'tokens' | 'time'
  readonly amount: number
}

/** Namespace of the ids of the alerts to `meta` about a budget that is used up. */
const NAMESPACE = '0c8de3a8-7a5e-4b62-8f0b-5f7f0f5b8f5d'

/** An amount in words, such as `2.50 US dollars`. */
function described(kind: Budget['kind'], amount: number): string {
  if (kind === 'cost') return `${amount.toFixed(2)} US dollars`
  if (kind === 'tokens') return `${amount} tokens`
  return amount < 60_000 ? `${(amount / 1000).toFixed(1)} seconds` : `${(amount / 60_000).toFixed(1)} minutes`
}

/** What each kind of budget is called, and an example of the option's value. */
const kinds: Readonly<Record<Budget['kind'], { readonly name: string; readonly example: string }>> = {
  cost: { name: 'money', example: '2.50usd' },
  tokens: { name: 'tokens', example: '200000tokens' },
  time: { name: 'minutes', example: '45min' },
}

/**
 * Checks that a budget can be measured with an agent.
 * @throws {UsageError} when the agent does not report its usage of that kind.
 */
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

/** What the present mission's ended sessions used up of one kind: US dollars, tokens or milliseconds. */
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

/** What the next session may use up of the budget. */
export interface Allowance {
  /** Whether the usage of the session is more than it may use up. */
  readonly isOver: (usage: Usage) => boolean
  /** Milliseconds that the session may take; undefined without a limit. */
  readonly timeMs: number | undefined
  /** Whether earlier sessions have used up all of the budget. */
  readonly isSpent: boolean
}

/** The allowance without a budget: no limit. */
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

/** The refusal to start a session when the mission has used up its budget before. */
export function spentAlready(team: Team, { kind, amount }: Budget): RefusedError {
  const spent = described(kind, spentOf(team, kind))
  return new RefusedError(
    `${team.id}'s mission has used up ${spent} already, and may use up ${described(kind, amount)}; give a larger --budget`,
  )
}

/**
 * Pauses a team whose mission used up its budget, and tells `meta` why.
 * @returns the refusal with the same reason, for whoever launched the team.
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
