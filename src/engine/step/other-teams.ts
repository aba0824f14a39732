import type { OtherTeam, TeamContext } from '../../../machines/team-event.ts'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { gitOrNothing } from '../../platform/git/git.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { branchOf } from '../../platform/git/worktree.ts'
import { leafOfValue } from '../decide/phase.ts'
import { lifecycleDocument } from './lifecycle-document.ts'
import type { Actor } from './world.ts'

/** Where the other teams stand that a mission names. */
export function othersNamedBy(
  { team, world }: Pick<Actor, 'team' | 'world'>,
  { mission }: TeamContext,
): Readonly<Record<string, OtherTeam>> {
  const words = new Set(`${mission?.subject ?? ''} ${mission?.body ?? ''}`.toLowerCase().match(/[a-z0-9-]+/g))
  const others = world.registry
    .read()
    .teams.filter(({ domainId }) => domainId !== team && words.has(domainId))
    .map(({ domainId, archetypeId, location, placementType }): [string, OtherTeam] => {
      const head = unless([FedError, isSystemError], () => lifecycleDocument(location).read())
      const name = branchOf(domainId)
      const tip =
        placementType === 'worktree'
          ? gitOrNothing(world.root, 'rev-parse', '--verify', `refs/heads/${name}`)
          : undefined
      return [
        domainId,
        {
          archetype: archetypeId,
          state: head === undefined ? null : leafOfValue(head.content.snapshot.value),
          branch: tip === undefined ? null : { name, head: tip },
        },
      ]
    })
  return Object.fromEntries(others)
}
