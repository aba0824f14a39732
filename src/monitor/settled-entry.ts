import { presentMs } from '../protocol/clock.ts'
import { readPresent } from '../engine/step/present.ts'
import { phaseOf } from '../engine/decide/phase.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import { later } from '../records/registry/last-active.ts'
import { initialStatus, levelled } from '../records/registry/move-status.ts'
import type { Visit } from './visit.ts'

/**
 * A team's entry as it should be: its status as the lifecycle says, `lastActive` no earlier than its last commit
 * and the last signal that it sent (spec §2.4). Returns the entry that it was given when that says so already.
 */
export function settledEntry(entry: RegistryEntry, { team, facts }: Visit): RegistryEntry {
  const lastActive = activeSince(entry.lastActive, facts.at, facts.sent)
  const present = entry.status ?? initialStatus()
  if (levelled(present, facts.phase) === present) {
    return lastActive === entry.lastActive ? entry : { ...entry, lastActive }
  }
  // levelled, not replayed: what the lifecycle says at the moment of writing
  const status = levelled(present, phaseOf(readPresent(team.actor).head.content.snapshot))
  return status === present && lastActive === entry.lastActive ? entry : { ...entry, status, lastActive }
}

function activeSince(known: string | undefined, committed: string, sent: string): string | undefined {
  const lastActive = known === committed ? known : later(known, committed)
  if (sent === '') return lastActive
  const sentAt = timeOf(sent)
  // a name from the future is a clock's mistake, and would stand for ever
  return sentAt === undefined || Date.parse(sentAt) > presentMs() ? lastActive : later(lastActive, sentAt)
}

/** `2026-11-20T230501Z`, as signal files are named, as the time that it means. */
function timeOf(name: string): string | undefined {
  const time = `${name.slice(0, 13)}:${name.slice(13, 15)}:${name.slice(15, 17)}.000Z`
  return Number.isNaN(Date.parse(time)) ? undefined : time
}
