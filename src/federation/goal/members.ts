import type { CoordinatorContext } from '../../../machines/coordinator.ts'
import { unless } from '../../errors/unless.ts'
import { FedError } from '../../errors/fed-error.ts'
import { adoptedPlan } from '../../engine/step/goal-evidence.ts'
import { lifecycleDocument } from '../../engine/step/lifecycle-document.ts'
import type { World } from '../../engine/step/world.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { taskOf } from '../../protocol/goal-names.ts'
import type { Plan, PlannedTask } from '../../protocol/plan-schema.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'

/** Id of the archetype whose teams reach goals. */
export const COORDINATOR = 'coordinator'

/** What a team is there for, where it does a task of a goal. */
export interface TaskOfGoal {
  /** Id of the coordinator. */
  readonly coordinator: string
  readonly context: CoordinatorContext
  readonly plan: Plan
  readonly task: PlannedTask
}

/** The entries of the teams that a team coordinates. */
export function membersOf({ registry }: Pick<World, 'registry'>, coordinator: string): RegistryEntry[] {
  return registry.read().teams.filter((entry) => entry.coordinator === coordinator)
}

/** The task that a team does; undefined for one that is in no goal, or whose goal's plan names it no more. */
export function taskOfTeam(world: Pick<World, 'registry'>, entry: RegistryEntry): TaskOfGoal | undefined {
  const { coordinator, domainId } = entry
  if (coordinator === undefined) return undefined
  const context = contextOf(world, coordinator)
  const plan = context && adoptedPlan(context)
  const task = plan?.tasks.find(({ id }) => id === taskOf(coordinator, domainId))
  return context === undefined || plan === undefined || task === undefined
    ? undefined
    : { coordinator, context, plan, task }
}

/** What a coordinator remembers, as committed; undefined where it cannot be read. */
export function contextOf(
  { registry }: Pick<World, 'registry'>,
  coordinator: string,
): CoordinatorContext | undefined {
  const own = registry.read().teams.find(({ domainId }) => domainId === coordinator)
  if (own?.archetypeId !== COORDINATOR) return undefined
  const head = unless([FedError, isSystemError], () => lifecycleDocument(own.location).read())
  return head?.content.snapshot.context as CoordinatorContext | undefined
}
