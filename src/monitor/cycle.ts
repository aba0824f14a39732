import { now } from '../protocol/time.ts'
import { META } from '../protocol/team-id.ts'
import type { RegistryStatus } from '../protocol/registry.ts'
import type { TeamRegistry } from '../registry/registry.ts'
import type { Mailbox } from '../signals/mailbox.ts'
import { repairOutbox } from '../signals/send.ts'
import type { Team } from '../teams/team.ts'

export interface TeamReport {
  readonly team: string
  readonly archetype: string
  readonly status: RegistryStatus | undefined
  /** Leaf state, or null when the team could not be stepped. */
  readonly state: string | null
  /** Signals that this cycle handled. */
  readonly handled: number
  /** Signals that still wait, for the agent or for another state. */
  readonly waiting: number
  readonly error?: string
}

export interface CycleReport {
  readonly at: string
  readonly teams: readonly TeamReport[]
  /** Unread signals of the meta coordinator. */
  readonly inbox: number
}

/** What a cycle needs of a federation. */
interface Monitored {
  readonly registry: TeamRegistry
  mailbox(address: string): Mailbox
  mailboxOf(address: string): Mailbox | undefined
  openTeam(id: string): Promise<Team>
}

/** One monitoring cycle (spec §4.4): every team is stepped; one that cannot be does not keep the others from it. */
export async function runCycle(federation: Monitored): Promise<CycleReport> {
  repairOutbox(federation.mailbox(META), (address) => federation.mailboxOf(address))
  const teams: TeamReport[] = []
  for (const { domainId, archetypeId } of federation.registry.read().teams) {
    teams.push({ team: domainId, archetype: archetypeId, ...(await stepTeam(federation, domainId)) })
  }
  return { at: now(), teams, inbox: federation.mailbox(META).unacknowledgedFiles().length }
}

async function stepTeam(federation: Monitored, id: string): Promise<Omit<TeamReport, 'team' | 'archetype'>> {
  try {
    const team = await federation.openTeam(id)
    const { state, handled } = await team.step()
    return {
      status: federation.registry.entry(id).status,
      state,
      handled: handled.length,
      waiting: team.mailbox.unacknowledged().length,
    }
  } catch (error) {
    return {
      status: federation.registry.entry(id).status,
      state: null,
      handled: 0,
      waiting: 0,
      error: (error as Error).message,
    }
  }
}
