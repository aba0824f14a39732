import type { CoordinatorContext } from '../../../machines/coordinator.ts'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { taskOf } from '../../protocol/goal-names.ts'
import type { Plan, PlannedTask } from '../../protocol/plan-schema.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { lifecycleDocument } from './lifecycle-document.ts'
import { allEntries, type World } from './world.ts'

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

/** The plan that a coordinator's machine adopted: it was checked then. */
export function adoptedPlan({ plan }: Pick<CoordinatorContext, 'plan'>): Plan | undefined {
  return (plan as Plan | null) ?? undefined
}

/** The task that a team does; undefined for one that is in no goal, or whose goal's plan names it no more. */
export function taskOfTeam(
  world: Pick<World, 'registry' | 'elsewhere'>,
  entry: RegistryEntry,
): TaskOfGoal | undefined {
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
  world: Pick<World, 'registry' | 'elsewhere'>,
  coordinator: string,
): CoordinatorContext | undefined {
  const own = allEntries(world).find(({ domainId }) => domainId === coordinator)
  if (own?.archetypeId !== COORDINATOR) return undefined
  const head = unless([FedError, isSystemError], () => lifecycleDocument(own.location).read())
  return head?.content.snapshot.context as CoordinatorContext | undefined
}
