import type { FiledSignal } from '../records/signals/mailbox.ts'
import type { Team } from '../federation/team.ts'
import { lookAt, type Facts } from './look-at-team.ts'
import { existsSync } from 'node:fs'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import { LastChange } from '../platform/storage/last-change.ts'
import { versionsDirectory } from '../platform/storage/versioned-steps.ts'

/** A team as a cycle left it. */
export interface Visit {
  readonly team: Team
  readonly facts: Facts
  /** Number of signals that this visit handled. */
  readonly handled: number
  /** Signals that still wait, for the agent or for another state. */
  readonly waiting: readonly FiledSignal[]
}

/** What a process that visits a team more than once remembers of it. */
interface Memory {
  readonly workspace: Workspace
  /** The last visit, if the next one would find the same while nothing changes; else undefined. */
  last: Visit | undefined
}

/** Undefined for a team that was visited once. */
const memories = new WeakMap<Team, Memory | undefined>()

/**
 * Looks at a team and steps it where there is anything to do. From its second visit to a team on, a process
 * remembers what it found, and returns that while nothing has changed; a single cycle has no use for such a
 * memory.
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
  // a visit that left something unfinished is not remembered, so that the next one looks again
  const isSettled = handled.length === 0 && stepped.waiting.length > 0 && team.mailbox.isWhole()
  if (memory !== undefined && isSettled && isRemembered(stepped)) memory.last = seen
  return seen
}

/** Whether a visit may be remembered: not while the quarantine holds files, as that folder is not watched. */
function isRemembered({ quarantined }: Facts): boolean {
  return quarantined === 0
}

/** What is remembered of a team; undefined at the first visit. */
function memoryOf(team: Team): Memory | undefined {
  const memory = memories.get(team)
  if (memory !== undefined) return memory
  const isFirst = !memories.has(team)
  const begun = isFirst ? undefined : { workspace: new Workspace(team.actor.workspace), last: undefined }
  memories.set(team, begun)
  return begun
}

/** Tells whether a workspace may have changed since it was asked last, with one look at each of its places. */
class Workspace {
  readonly #places: LastChange[]
  readonly #sessions: string
  /** There is no such folder before the first session. */
  #hasSessions = false

  constructor(workspace: string) {
    const { inbox, outbox, lifecycle, sessions } = workspaceLayout(workspace)
    const places = [inbox, outbox, lifecycle, versionsDirectory(lifecycle)]
    this.#places = places.map((place) => new LastChange(place))
    this.#sessions = sessions
  }

  /** Ask it before looking: what changes meanwhile is seen the next time. */
  hasChanged(): boolean {
    if (!this.#hasSessions && existsSync(this.#sessions)) {
      this.#hasSessions = true
      this.#places.push(new LastChange(this.#sessions))
    }
    let any = false
    // each is asked, whatever the others say: from now on it is watched
    for (const place of this.#places) if (place.happened()) any = true
    return any
  }
}
