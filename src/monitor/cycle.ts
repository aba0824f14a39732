import { now } from '../protocol/time.ts'
import { META } from '../protocol/team-id.ts'
import type { RegistryEntry, RegistryStatus } from '../protocol/registry.ts'
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
  openEntry(entry: RegistryEntry): Promise<Team>
}

/** One monitoring cycle (spec §4.4): every team is stepped; one that cannot be does not keep the others from it. */
export async function runCycle(federation: Monitored): Promise<CycleReport> {
  const meta = federation.mailbox(META)
  repairOutbox(meta, (address) => federation.mailboxOf(address))
  const stepped = new Map<string, Stepped>()
  for (const entry of federation.registry.read().teams) {
    stepped.set(entry.domainId, await stepTeam(federation, entry))
  }
  // steps move statuses
  const teams = federation.registry.read().teams.map(({ domainId, archetypeId, status }) => ({
    team: domainId,
    archetype: archetypeId,
    status,
    ...(stepped.get(domainId) ?? { state: null, handled: 0, waiting: 0 }),
  }))
  return { at: now(), teams, inbox: meta.unacknowledgedFiles().length }
}

type Stepped = Omit<TeamReport, 'team' | 'archetype' | 'status'>

async function stepTeam(federation: Monitored, entry: RegistryEntry): Promise<Stepped> {
  try {
    const team = await federation.openEntry(entry)
    const { state, handled, waiting } = await team.step()
    return { state, handled: handled.length, waiting }
  } catch (error) {
    return { state: null, handled: 0, waiting: 0, error: (error as Error).message }
  }
}
