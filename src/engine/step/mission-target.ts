import { branchIn } from '../../platform/git/worktree.ts'
import type { Actor } from './world.ts'

/**
 * The branch into which the work of a mission that begins now is to be merged: the one that was named for the team
 * (`--into`), else the configuration's `target`, else the one that the root had checked out when the team was
 * onboarded. Undefined where none of them names one.
 */
export function targetOf({ team, world }: Pick<Actor, 'team' | 'world'>): string | undefined {
  const { into, onboardedOn } = world.registry.entry(team)
  return into ?? world.config.target ?? onboardedOn ?? branchIn(world.root)
}
