import { membersOf } from '../../federation/goal/members.ts'
import type { Federation } from '../../federation/federation.ts'
import type { Team } from '../../federation/team.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { sessionsOfTeam } from './all-sessions.ts'
import { sumOfSpent, usageByDay, type Spent } from './session-usage.ts'

/** What the teams of a goal have used up since it was given, by the team's id; its coordinator is one of them. */
export function goalCosts(
  federation: Pick<Federation, 'registry' | 'elsewhere'>,
  coordinator: Team,
): ReadonlyMap<string, Spent> {
  const { mission } = coordinator.present().context
  const entries = [federation.registry.entry(coordinator.id), ...membersOf(federation, coordinator.id)]
  return new Map(entries.map((entry) => [entry.domainId, spentSince(entry, mission?.at ?? '')]))
}

function spentSince({ domainId, location }: RegistryEntry, since: string): Spent {
  const sessions = sessionsOfTeam(domainId, location).filter(({ session }) => session.at >= since)
  return sumOfSpent(sessions.flatMap(({ dir, session }) => [...usageByDay(dir, session).values()]))
}
