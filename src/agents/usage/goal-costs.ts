import { membersOf } from '../../federation/goal/members.ts'
import type { Federation } from '../../federation/federation.ts'
import type { Team } from '../../federation/team.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { sessionsOfTeam } from './all-sessions.ts'
import { sumOfSpent, usageByDay, type Spent } from './session-usage.ts'
import { readBudget } from '../../protocol/budget.ts'
import { COORDINATOR, adoptedPlan, contextOf, taskOfTeam } from '../../engine/step/task-of-team.ts'
import type { World } from '../../engine/step/world.ts'
import type { Limit, SharedGoal } from './allowance.ts'

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

/** What a goal may use up: as its person said, and as its plan says for it and for each task. */
export function goalLimits(world: Pick<World, 'registry' | 'elsewhere'>, team: string): Limit[] {
  const entries = world.registry.read().teams
  const entry = entries.find(({ domainId }) => domainId === team)
  const coordinator = entry?.archetypeId === COORDINATOR ? team : entry?.coordinator
  if (entry === undefined || coordinator === undefined) return []
  const context = contextOf(world, coordinator)
  const given = entries.find(({ domainId }) => domainId === coordinator)?.budget
  const goal: SharedGoal = {
    teams: new Set([
      coordinator,
      ...entries.flatMap((one) => (one.coordinator === coordinator ? [one.domainId] : [])),
    ]),
    since: context?.mission?.at ?? '',
  }
  const limit = (text: string | undefined, rest: Pick<Limit, 'scope' | 'place' | 'goal'>): Limit[] => {
    const budget = text === undefined ? undefined : readBudget(text)
    return budget === undefined ? [] : [{ ...rest, budget, isOption: false }]
  }
  const plan = context && adoptedPlan(context)
  return [
    ...limit(given, { scope: 'goal', place: `the goal's budget, which 'fed goal --budget' sets`, goal }),
    ...limit(plan?.budget, { scope: 'goal', place: `budget in the plan of ${coordinator}`, goal }),
    ...limit(taskOfTeam(world, entry)?.task.budget, {
      scope: 'mission',
      place: `the task's budget in the plan of ${coordinator}`,
    }),
  ]
}
