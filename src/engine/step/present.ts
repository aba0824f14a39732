import type { AnyMachineSnapshot } from 'xstate'
import { CorruptDocumentError, LifecycleGoneError } from '../../errors/document-errors.ts'
import { now } from '../../protocol/time.ts'
import type { Head } from '../../platform/storage/versioned-steps.ts'
import { disk } from '../../platform/storage/disk.ts'
import { FORMAT, type Lifecycle, type LifecycleDraft } from '../decide/lifecycle.ts'
import { decodeSnapshot, encodeSnapshot, initialSnapshot } from '../decide/snapshot.ts'
import type { Actor } from './world.ts'

/** A team's life as it is now. */
export interface Present {
  readonly head: Head<Lifecycle>
  readonly snapshot: AnyMachineSnapshot
}

/** Snapshots of commits that were checked already. */
const snapshots = new WeakMap<Lifecycle, AnyMachineSnapshot>()

/** Keeps the snapshot of a commit that this process made itself, so that it need not be decoded again. */
export function keepSnapshot(commit: Lifecycle, snapshot: AnyMachineSnapshot): void {
  snapshots.set(commit, snapshot)
}

/** Whether nothing is left of a team's life, not even a version that could be read. */
export function isGone({ lifecycle }: Pick<Actor, 'lifecycle'>): boolean {
  return !disk.exists(lifecycle.shape.file) && lifecycle.versions().length === 0
}

/**
 * The team's newest commit, strictly decoded.
 * @throws {CorruptDocumentError} naming what is damaged; {LifecycleGoneError}
 */
export function readPresent(actor: Actor): Present {
  const head = actor.lifecycle.read()
  const { file } = actor.lifecycle.shape
  if (head === undefined)
    throw new LifecycleGoneError(actor.team, actor.workspace, file, disk.exists(actor.workspace))
  const decoded = snapshots.get(head.content)
  if (decoded !== undefined) return { head, snapshot: decoded }
  const { team, archetype, snapshot } = head.content
  if (head.version !== head.number) {
    throw new CorruptDocumentError(file, `version: it is ${head.version}, but its file's is ${head.number}`)
  }
  if (team !== actor.team)
    throw new CorruptDocumentError(file, `team: it belongs to '${team}', not '${actor.team}'`)
  if (archetype !== actor.archetype) {
    throw new CorruptDocumentError(
      file,
      `archetype: '${archetype}' is not what the registry says, '${actor.archetype}'`,
    )
  }
  const { team: self = team } = snapshot.context
  if (self !== team) {
    // guards ask the context who the team itself is
    throw new CorruptDocumentError(file, `snapshot.context.team: ${JSON.stringify(self)} is not '${team}'`)
  }
  const present = { head, snapshot: decodeSnapshot(actor.logic, snapshot, file) }
  keepSnapshot(head.content, present.snapshot)
  return present
}

/** The commit with which a team's life begins. */
export function firstCommit(actor: Pick<Actor, 'team' | 'archetype' | 'logic'>): LifecycleDraft {
  return {
    format: FORMAT,
    at: now(),
    team: actor.team,
    archetype: actor.archetype,
    mission: 1,
    snapshot: encodeSnapshot(initialSnapshot(actor.logic, actor.team)),
    handled: [],
    effects: [],
    latest: null,
    remembered: [],
  }
}
