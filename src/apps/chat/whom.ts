import type { Federation } from '../../federation/federation.ts'
import type { HealthFinding } from '../../monitor/health-finding.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import type { Team } from '../../federation/team.ts'
import { FedError } from '../../errors/fed-error.ts'
import type { ControlKind, TeamState, Whom } from './language/chat-command.ts'
import { brief } from './team-lines.ts'

/** What carrying a command out needs to know. */
export interface Standing {
  readonly federation: Federation
  /** What people call the federation. */
  readonly name: string
  /** The ledger's id: signals take their ids from it and from the message. */
  readonly ledger: string
  /** The teams that the conversation was last about; undefined when it was about none, or about all. */
  readonly last: readonly string[] | undefined
}

/** Whom a message means, of the teams that there are now. */
export interface Meant {
  readonly teams: readonly string[]
  /**
   * Whether no team was meant by name, but all, all but some, or all in one state: then those on which an
   * order has no effect may be left out.
   */
  readonly isEverybody: boolean
}

/** The teams that a person means; undefined where "it" or "them" does not fit the teams last spoken of. */
export async function meantBy(standing: Standing, whom: Whom): Promise<Meant | undefined> {
  const { federation, last } = standing
  const entries = federation.registry.read().teams
  const ids = entries.map(({ domainId }) => domainId)
  const left = (teams: readonly string[], except: readonly string[] = []) =>
    teams.filter((id) => ids.includes(id) && !except.includes(id))
  if (whom.of === 'named') return { teams: whom.teams, isEverybody: false }
  if (whom.of === 'last') {
    if (last === undefined && whom.number === 'all')
      return { teams: left(ids, whom.except), isEverybody: true }
    const isMeant = last !== undefined && fits(whom.number, last.length)
    return isMeant ? { teams: left(last, whom.except), isEverybody: false } : undefined
  }
  const { state, except } = whom
  const rest = entries.filter(({ domainId }) => except?.includes(domainId) !== true)
  if (state === undefined) return { teams: rest.map(({ domainId }) => domainId), isEverybody: true }
  const teams: string[] = []
  for (const entry of rest) if (await isIn(federation, entry, state)) teams.push(entry.domainId)
  return { teams, isEverybody: true }
}

function fits(number: (Whom & { of: 'last' })['number'], count: number): boolean {
  if (number === 'one') return count === 1
  return number === 'two' ? count === 2 : count > 0
}

async function isIn(federation: Federation, entry: RegistryEntry, state: TeamState): Promise<boolean> {
  const isArchived = entry.status === 'archived'
  if (isArchived || state === 'archived') return isArchived && state === 'archived'
  const view = await lookAtTeam(federation, entry)
  if (view === undefined) return state === 'blocked'
  const { present, findings, asks } = view
  switch (state) {
    case 'paused':
      return present.paused
    case 'working':
      return !present.paused && !present.finished
    case 'blocked':
      return isBlocked(present, findings.length > 0 || asks)
    default:
      return present.state === state
  }
}

type Present = ReturnType<Team['present']>

/** Whether a team does not go on by itself: it is paused, failed, waits for somebody, or is not healthy. */
export function isBlocked(
  { state, finished, paused, waits }: Pick<Present, 'state' | 'finished' | 'paused' | 'waits'>,
  isTroubled: boolean,
): boolean {
  // an archetype of the federation's own names its good ends as it likes
  if (finished) return state === 'failed' || isTroubled
  return paused || waits || isTroubled
}

/** A team as it lies on the disk. */
interface TeamView {
  readonly team: Team
  readonly present: Present
  readonly findings: readonly HealthFinding[]
  /** Whether the team waits for an answer. */
  readonly asks: boolean
}

/** A registered team as it is now; undefined where it cannot be read. */
async function lookAtTeam(federation: Federation, entry: RegistryEntry): Promise<TeamView | undefined> {
  const { presentLook } = await import('../../monitor/team-health.ts')
  try {
    const team = await federation.openEntry(entry)
    const { facts, findings } = presentLook(entry, team)
    return { team, present: team.present(), findings, asks: facts.asks.length > 0 }
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    return undefined
  }
}

/** Those of `teams` on which an order has an effect: of a `resume`, for example, only the paused ones. */
export async function affectedBy(
  { federation }: Standing,
  kind: ControlKind,
  teams: readonly string[],
): Promise<string[]> {
  const ids: string[] = []
  for (const entry of federation.registry.read().teams) {
    if (!teams.includes(entry.domainId)) continue
    if ((entry.status === 'archived') !== (kind === 'restore')) continue
    if (await hasEffect(federation, kind, entry)) ids.push(entry.domainId)
  }
  return ids
}

/** Whether an order would move a team; one that cannot be read is given it, and says why it is not done. */
async function hasEffect(federation: Federation, kind: ControlKind, entry: RegistryEntry): Promise<boolean> {
  let present: Present
  try {
    present = (await federation.openEntry(entry)).present()
  } catch (error) {
    if (error instanceof FedError) return true
    throw error
  }
  const { finished, paused } = present
  if (kind === 'resume') return paused
  return (kind !== 'pause' && kind !== 'launch') || (!finished && !paused)
}

/**
 * Does something for each team.
 * @returns a line for each; an error is the line of its team and stops no other.
 */
export async function eachTeam(
  { federation }: Standing,
  ids: readonly string[],
  act: (team: Team) => Promise<string>,
): Promise<string> {
  const lines: string[] = []
  for (const id of ids) {
    try {
      lines.push(await act(await federation.team(id)))
    } catch (error) {
      const reason = brief((error as Error).message)
      lines.push(reason.startsWith(`${id} `) ? reason : `${id}: ${reason}`)
    }
  }
  return lines.join('\n')
}
