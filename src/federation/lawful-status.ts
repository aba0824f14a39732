import type { LifecyclePhase } from '../../machines/registry-status.ts'
import { lifecycleDocument } from '../engine/step/lifecycle-document.ts'
import { phaseOf } from '../engine/decide/phase.ts'
import { RefusedError } from '../errors/fed-error.ts'
import type { Registry, RegistryEntry } from '../protocol/registry-schema.ts'
import { initialStatus, mayMove } from '../records/registry/move-status.ts'

/**
 * Checks that the status machine allows every status that a change of the registry sets (spec §3.2), whatever
 * program makes the change.
 * @throws {RefusedError} naming the first team whose status it does not allow.
 */
export function assertLawfulStatuses(before: Registry, after: Registry): void {
  const known = new Map(before.teams.map((entry) => [entry.domainId, entry]))
  // a team that gets another name is still the one that lives there
  const living = new Map(before.teams.map((entry) => [entry.location, entry]))
  // what is no entry at all is refused when it is written
  for (const { domainId, status, location } of Array.isArray(after.teams) ? after.teams : []) {
    const present = known.get(domainId) ?? living.get(location)
    const [from, to] = [present?.status ?? initialStatus(), status ?? initialStatus()]
    if (from === to) continue
    const lifecycle = stanceIn(present?.location ?? location)
    if (mayMove(from, to, lifecycle)) continue
    throw new RefusedError(
      `the registry: ${domainId} is ${from} and its lifecycle is ${lifecycle}, so it does not become ${to}; ` +
        `pause(), resume(), archive() and restore() of its team move both`,
    )
  }
}

/** The phase of a team's lifecycle; `finished` for a team without one. */
function stanceIn(location: RegistryEntry['location']): LifecyclePhase {
  const head = typeof location === 'string' ? lifecycleDocument(location).read() : undefined
  return head === undefined ? 'finished' : phaseOf(head.content.snapshot)
}
