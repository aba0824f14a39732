import path from 'node:path'
import { workspaceLayout } from '../protocol/layout.ts'
import type { SignalMessage } from '../protocol/signal.ts'
import { disk } from '../storage/disk.ts'
import { decodeLifecycle, type Handled, type Lifecycle } from './lifecycle.ts'
import type { Actor } from './world.ts'

/** A signal is handled after it was made; clocks that disagree by more than this are not believed, in milliseconds. */
const clockSlackMs = 3_600_000

type Dated = Pick<SignalMessage, 'id' | 'timestamp'>
type Commit = Pick<Lifecycle, 'at' | 'mission' | 'handled'>

/** Commits that were looked through already; they never change. */
const lookedThrough = new WeakMap<Actor, Map<number, Commit>>()

/**
 * What commits of this team, of whatever mission, say of these signals, the newest first. It looks back only as
 * far as the oldest of them was made, so its cost does not grow with the team's history.
 */
export function handledEarlier(
  actor: Actor,
  head: Lifecycle,
  signals: readonly Dated[],
): Map<string, Handled[]> {
  const found = new Map<string, Handled[]>(signals.map(({ id }) => [id, []]))
  const since = Math.min(...signals.map(({ timestamp }) => Date.parse(timestamp))) - clockSlackMs
  let commit: Commit | undefined = signals.length === 0 ? undefined : head
  for (let version = head.version; commit !== undefined; version -= 1) {
    for (const entry of commit.handled) found.get(entry.signal)?.push(entry)
    if (Date.parse(commit.at) < since) break
    commit = commitOf(actor, version - 1, commit.mission)
  }
  return found
}

function commitOf(actor: Actor, version: number, newestMission: number): Commit | undefined {
  let known = lookedThrough.get(actor)
  if (known === undefined) lookedThrough.set(actor, (known = new Map()))
  const commit =
    known.get(version) ?? actor.lifecycle.version(version) ?? putAway(actor, version, newestMission)
  if (commit !== undefined) {
    known.set(version, { at: commit.at, mission: commit.mission, handled: commit.handled })
  }
  return commit
}

/** A commit that a reset moved to its mission's archive. */
function putAway({ workspace }: Actor, version: number, newestMission: number): Lifecycle | undefined {
  if (version < 1) return undefined
  for (let mission = newestMission; mission >= 1; mission -= 1) {
    const file = path.join(workspaceLayout(workspace).missions, String(mission), `${version}.json`)
    const text = disk.read(file)
    if (text !== undefined) return decodeLifecycle(JSON.parse(text), file)
  }
  return undefined
}
