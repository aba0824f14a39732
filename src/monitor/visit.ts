import type { FiledSignal } from '../records/signals/mailbox.ts'
import type { Team } from '../federation/team.ts'
import { lookAt, type Facts } from './look-at-team.ts'
import { Workspace } from './workspace-changes.ts'

/** A team as a cycle left it. */
export interface Visit {
  readonly team: Team
  readonly facts: Facts
  /** How many signals were handled. */
  readonly handled: number
  /** Signals that still wait, for the agent or for another state. */
  readonly waiting: readonly FiledSignal[]
}

/** What a process that goes on remembers of a team. */
interface Memory {
  readonly workspace: Workspace
  /** The last visit, when the next one would find the same as long as nothing changes. */
  last: Visit | undefined
}

/** Undefined for a team that was visited once. */
const memories = new WeakMap<Team, Memory | undefined>()

/**
 * Steps a team where there is anything to do. The first visit of a process only looks, because a single cycle
 * has no use for a memory; from the second on it remembers, and looks again only at what changed.
 * @throws {CorruptDocumentError} naming what is damaged.
 */
export async function visit(team: Team): Promise<Visit> {
  const memory = memoryOf(team)
  const hasChanged = memory?.workspace.hasChanged() ?? true
  if (!hasChanged && memory?.last !== undefined) return memory.last
  if (memory !== undefined) memory.last = undefined
  const facts = lookAt(team.actor)
  if (facts.isAtRest) {
    const resting = { team, facts, handled: 0, waiting: [] }
    if (memory !== undefined && isRemembered(facts)) memory.last = resting
    return resting
  }
  const { handled } = await team.step()
  // also when nothing was handled: what is no signal was set aside
  const stepped = lookAt(team.actor)
  const waiting = team.mailbox.unacknowledged()
  const seen = { team, facts: stepped, handled: handled.length, waiting }
  // what was left unfinished is asked for again until nobody finds it
  const isSettled = handled.length === 0 && stepped.waiting.length > 0 && team.mailbox.isWhole()
  if (memory !== undefined && isSettled && isRemembered(stepped)) memory.last = seen
  return seen
}

/** A quarantine that is not empty is looked into each time: nothing else tells that somebody emptied it. */
function isRemembered({ quarantined }: Facts): boolean {
  return quarantined === 0
}

function memoryOf(team: Team): Memory | undefined {
  const memory = memories.get(team)
  if (memory !== undefined) return memory
  const isFirst = !memories.has(team)
  const begun = isFirst ? undefined : { workspace: new Workspace(team.actor.workspace), last: undefined }
  memories.set(team, begun)
  return begun
}
