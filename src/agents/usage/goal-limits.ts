import { readBudget } from '../../protocol/budget.ts'
import { COORDINATOR, adoptedPlan, contextOf, taskOfTeam } from '../../engine/step/task-of-team.ts'
import type { World } from '../../engine/step/world.ts'
import type { Limit, SharedGoal } from './allowance.ts'

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
