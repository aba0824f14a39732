import path from 'node:path'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { disk } from '../../platform/storage/disk.ts'
import { readLifecycle, type Handled, type Lifecycle } from '../decide/lifecycle.ts'
import type { Actor } from './world.ts'

type Dated = Pick<SignalMessage, 'id' | 'timestamp'>
type Commit = Pick<Lifecycle, 'commit' | 'mission' | 'latest' | 'handled'>

/** Commits that the last look went through, by their ids; commits never change. */
const lookedThrough = new WeakMap<Actor, Map<string, Commit>>()

/**
 * What the commits of this team, of all missions, say of these signals: entries by signal id, the newest
 * first; none for a signal that was never handled. Stops at the first commit up to which only older signals
 * were handled, so its cost does not grow with the team's history.
 */
export function handledEarlier(
  actor: Actor,
  head: Lifecycle,
  signals: readonly Dated[],
): Map<string, Handled[]> {
  const found = new Map<string, Handled[]>()
  let since = Infinity
  for (const { id, timestamp } of signals) {
    found.set(id, [])
    since = Math.min(since, Date.parse(timestamp))
  }
  const visited = new Map<string, Commit>()
  let commit: Commit | undefined = head
  for (let version = head.version; commit !== undefined && isAsLate(commit, since); version -= 1) {
    for (const entry of commit.handled) found.get(entry.signal)?.push(entry)
    visited.set(commit.commit.id, commit)
    commit = previousOf(actor, commit, version - 1)
  }
  if (signals.length > 0) lookedThrough.set(actor, visited)
  return found
}

/** Whether a signal of that time, or a later one, was handled by this commit or before it. */
function isAsLate({ latest }: Commit, since: number): boolean {
  return latest !== null && Date.parse(latest) >= since
}

/**
 * The commit before this one; undefined for the first, or where it cannot be found. Its number alone proves
 * nothing: a reset moves versions away, and a process that was stopped for long may have taken a number anew
 * and not noticed yet.
 */
function previousOf(actor: Actor, { commit, mission }: Commit, version: number): Commit | undefined {
  if (commit.previous === null) return undefined
  const known = lookedThrough.get(actor)?.get(commit.previous)
  const here = known ?? actor.lifecycle.version(version)
  const found = here?.commit.id === commit.previous ? here : putAway(actor, version, mission)
  if (found?.commit.id !== commit.previous) return undefined
  const { commit: ids, mission: of, latest, handled } = found
  return { commit: ids, mission: of, latest, handled }
}

/** A commit that a reset moved to its mission's archive. */
function putAway({ workspace }: Actor, version: number, newestMission: number): Lifecycle | undefined {
  for (let mission = newestMission; mission >= 1; mission -= 1) {
    const file = path.join(workspaceLayout(workspace).missions, String(mission), `${version}.json`)
    const text = disk.read(file)
    if (text !== undefined) return readLifecycle(text, file)
  }
  return undefined
}
