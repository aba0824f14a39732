import type { TeamContext } from '../../../machines/team-event.ts'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { leafOfValue } from '../../engine/decide/phase.ts'
import { lifecycleDocument } from '../../engine/step/lifecycle-document.ts'
import type { World } from '../../engine/step/world.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'

/** Another team as an agent should know it. */
export interface Peer {
  readonly team: string
  readonly archetype: string
  /** Leaf state. */
  readonly state: string
  /** What it works on, or knows: the subject of its mission. */
  readonly about: string
  /** Whether its agent answers questions by itself; others answer when they work. */
  readonly answers: boolean
}

/** So many are named: whoever needs another asks `fed status`. */
const mostPeers = 12

/**
 * The teams that a team should know of: its coordinator, who works for the same goal, and those that answer questions.
 * Each is read as its last commit says; nobody is asked.
 */
export function peersOf({ registry }: Pick<World, 'registry'>, own: RegistryEntry): Peer[] {
  const isNear = ({ domainId, archetypeId, coordinator, status }: RegistryEntry) =>
    domainId !== own.domainId &&
    status !== 'archived' &&
    (archetypeId === 'consultant' ||
      domainId === own.coordinator ||
      coordinator === own.domainId ||
      (coordinator !== undefined && coordinator === own.coordinator))
  const rank = ({ archetypeId, domainId }: RegistryEntry) =>
    archetypeId === 'consultant' ? 0 : domainId === own.coordinator ? 1 : 2
  return registry
    .read()
    .teams.filter(isNear)
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, mostPeers)
    .flatMap(({ domainId: team, archetypeId: archetype, location }) => {
      const head = unless([FedError, isSystemError], () => lifecycleDocument(location).read())
      const { mission } = (head?.content.snapshot.context ?? {}) as Partial<TeamContext>
      // without a mission it knows nothing yet
      if (head === undefined || mission == null) return []
      const state = leafOfValue(head.content.snapshot.value)
      return [{ team, archetype, state, about: mission.subject, answers: archetype === 'consultant' }]
    })
}
