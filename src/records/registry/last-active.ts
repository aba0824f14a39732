import { unless } from '../../errors/unless.ts'
import { presentMs } from '../../protocol/clock.ts'
import { UnfinishedError } from '../../errors/fed-error.ts'
import { META } from '../../protocol/team-id.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import type { TeamRegistry } from './team-registry.ts'

/**
 * Notes that teams sent signals, which is activity of theirs (spec §2.4), with one write for all of them. The signals
 * are delivered: a disk that fails now keeps nothing from anybody, and the next monitoring cycle notes it.
 * @param at ISO 8601.
 */
export function noteSenders(registry: TeamRegistry, senders: Iterable<string>, at: string): void {
  const teams = new Set(senders)
  teams.delete(META)
  if (teams.size === 0) return
  const active = (entry: RegistryEntry): RegistryEntry => {
    const lastActive = later(entry.lastActive, at)
    return !teams.has(entry.domainId) || lastActive === entry.lastActive ? entry : { ...entry, lastActive }
  }
  unless([isSystemError, UnfinishedError], () => registry.updateEntries(active))
}

/** A time so far ahead of the clock was told by a clock that went wrong, in milliseconds. */
const wrongMs = 600_000

/**
 * The later of two times, as it is written. One that lies ahead gives way to one that does not: otherwise a team that a
 * wrong clock dated into next year would not be active again until then.
 */
export function later(a: string | undefined, b: string): string {
  if (a === undefined) return b
  const latest = presentMs() + wrongMs
  const [isAheadA, isAheadB] = [Date.parse(a) > latest, Date.parse(b) > latest]
  if (isAheadA !== isAheadB) return isAheadA ? b : a
  return Date.parse(a) > Date.parse(b) ? a : b
}
