import { RefusedError, UsageError } from '../../errors/fed-error.ts'
import { amountInWords, type Budget } from '../../protocol/budget.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import type { Team } from '../../federation/team.ts'
import type { AgentDriver } from '../drivers/driver.ts'
import type { Limit, Used } from '../usage/allowance.ts'
import { pauseAndTell } from './pause-and-tell.ts'
import type { SessionRecord } from './session-record.ts'

/** What each kind of budget is called, and an example of the option's value. */
const kinds: Readonly<Record<Budget['kind'], { readonly name: string; readonly example: string }>> = {
  cost: { name: 'money', example: '2.50usd' },
  tokens: { name: 'tokens', example: '200000tokens' },
  time: { name: 'minutes', example: '45min' },
}

/** Where a limit stands, as a person finds it. */
function nameOf({ scope, isOption, place }: Limit): string {
  if (place !== undefined) return place
  return isOption ? '--budget' : `budget.${scope} in federate.config.json`
}

/**
 * Checks that a limit can be measured with an agent while it runs. The embedded one uses up time alone.
 * @throws {UsageError} when the agent does not tell its usage of that kind.
 */
export function assertMeasurable(agent: string, { tells }: Pick<AgentDriver, 'tells'>, limit: Limit): void {
  const { kind } = limit.budget
  if (kind === 'time' || tells.includes(kind) || agent === EMBEDDED_AGENT) return
  const possible = [...tells, 'time' as const].map((one) => kinds[one])
  const list = (words: readonly string[]) => words.join(' or ')
  throw new UsageError(
    `${nameOf(limit)}: '${agent}' does not tell what ${kinds[kind].name} it uses up while it works; give it in ${list(possible.map(({ name }) => name))}, such as ${list(possible.map(({ example }) => example))}`,
  )
}

/** At most how many teams are named of those that used most. */
const mostNamed = 5

/** `its mission has used up 0.06 US dollars, and may use up 0.05 US dollars` */
function inWords({ limit, amount, byTeam }: Used): string {
  const { scope, budget } = limit
  const who = { mission: 'its mission', team: 'it', goal: 'the goal', federation: 'the federation' }[scope]
  const [today, aDay] = budget.perDay ? [' today', ' a day'] : ['', '']
  const largest = [...byTeam].toSorted(([, one], [, other]) => other - one).slice(0, mostNamed)
  const by =
    (scope === 'federation' || scope === 'goal') && largest.length > 0
      ? ` (most by ${largest.map(([team, part]) => `${team}: ${amountInWords(budget.kind, part)}`).join(', ')})`
      : ''
  return `${who} has used up ${amountInWords(budget.kind, amount)}${today}${by}, and may use up ${amountInWords(budget.kind, budget.amount)}${aDay}`
}

function howToGoOn({ limit }: Used, id: string, again: string): string {
  const wait = limit.budget.perDay ? ', or wait until 00:00 UTC' : ''
  return limit.isOption
    ? `'fed resume ${id}' and '${again}' with a larger --budget go on`
    : `raise ${nameOf(limit)}${wait}; then 'fed resume ${id}' and '${again}' go on`
}

/** The refusal to start a session when a limit is used up before. */
export function spentAlready({ id }: Team, used: Used): RefusedError {
  const next = used.limit.isOption ? 'give a larger --budget' : `raise ${nameOf(used.limit)}`
  return new RefusedError(`${id}: ${inWords(used)} already; ${next}`)
}

/**
 * Pauses a team whose limit is used up, and tells `meta` why.
 * @returns the refusal with the same reason, for whoever launched the team.
 */
export async function pauseOverBudget(
  team: Team,
  record: SessionRecord,
  used: Used,
  again: string,
): Promise<RefusedError> {
  return pauseAndTell(team, record, {
    why: 'Budget used up',
    words: inWords(used),
    next: howToGoOn(used, team.id, again),
  })
}
