import { presentMs } from '../protocol/clock.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import type { FiledSignal } from '../records/signals/mailbox.ts'
import type { Team } from '../federation/team.ts'
import { findingsAbout } from './health.ts'
import type { HealthFinding } from './health-finding.ts'
import { lookAt, type Facts } from './look-at-team.ts'

/** A team at one moment. */
interface Seen {
  readonly team: Team
  readonly facts: Facts
  /** What it has not acknowledged. */
  readonly waiting: readonly FiledSignal[]
}

/** What is not healthy about a team as it was seen (spec §6). */
export function healthOf(entry: RegistryEntry, { team, facts, waiting }: Seen, present: number) {
  const { domainId, location: workspace, status, agent } = entry
  const { deliverable, agentCommand } = team.actor.world.config
  return findingsAbout(facts, {
    team: domainId,
    delivers: team.archetype.delivers,
    workspace,
    status,
    deliverable,
    usualAgent: agent ?? agentCommand,
    present,
    waiting,
  })
}

/** A team as it lies on the disk, and what a monitoring cycle would call unhealthy about it, without stepping it. */
export function presentLook(
  entry: RegistryEntry,
  team: Team,
): Pick<Seen, 'facts' | 'waiting'> & { readonly findings: HealthFinding[] } {
  const facts = lookAt(team.actor)
  const waiting = team.mailbox.unacknowledged(facts.waiting)
  return { facts, waiting, findings: healthOf(entry, { team, facts, waiting }, presentMs()) }
}

/** What a monitoring cycle would call unhealthy about a team now, without stepping it. */
export function presentHealth(entry: RegistryEntry, team: Team): HealthFinding[] {
  return presentLook(entry, team).findings
}
