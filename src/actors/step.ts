import path from 'node:path'
import type { AnyMachineSnapshot } from 'xstate'
import { controlSubjects } from '../../machines/guards.ts'
import type { TeamContext } from '../../machines/team-event.ts'
import { CorruptDocumentError } from '../errors.ts'
import { kebab } from '../protocol/event-name.ts'
import { META } from '../protocol/team-id.ts'
import { now } from '../protocol/time.ts'
import { compose, type SignalDraft } from '../signals/compose.ts'
import type { FiledSignal } from '../signals/mailbox.ts'
import { deliverAll, repairOutbox } from '../signals/send.ts'
import { disk } from '../storage/disk.ts'
import type { Head } from '../storage/versioned-steps.ts'
import { backOff } from '../storage/versioned-document.ts'
import { repeatedMission } from './answers.ts'
import { finishEffects } from './effects.ts'
import { entryFor, fold, isEvent } from './fold.ts'
import {
  FORMAT,
  lifecycleDocument,
  type Effect,
  type Handled,
  type Lifecycle,
  type LifecycleDraft,
} from './lifecycle.ts'
import { decodeSnapshot, encodeSnapshot, initialSnapshot } from './snapshot.ts'
import { leafOf } from './transitions.ts'
import type { Actor } from './world.ts'

/** What one step of a team did. */
export interface StepReport {
  readonly team: string
  /** Leaf state after the step. */
  readonly state: string
  /** Version of the lifecycle after the step. */
  readonly version: number
  readonly handled: readonly Handled[]
  /** Signals that wait for a state that takes them. */
  readonly deferred: readonly FiledSignal[]
}

/** A team's life as it is now. */
export interface Present {
  readonly head: Head<Lifecycle>
  readonly snapshot: AnyMachineSnapshot
}

/** Ids of the last signals stay known, so that a copy that turns up late is a duplicate. */
const rememberedCount = 1000

/**
 * The team's newest commit, strictly decoded.
 * @throws {CorruptDocumentError} naming what is damaged.
 */
export function readPresent(actor: Actor): Present {
  const document = lifecycleDocument(actor.workspace)
  const head = document.read()
  const { file } = document.shape
  if (head === undefined) throw new CorruptDocumentError(file, 'it does not exist')
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
  return { head, snapshot: decodeSnapshot(actor.logic, snapshot, file) }
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
    remembered: [],
  }
}

/**
 * Handles every signal that waits: decode, decide, commit, effects, acknowledge. Any process may step any
 * team at any time; who loses the race for a version starts over from the newer one, and what a killed
 * process left unfinished is finished first.
 */
export async function step(actor: Actor): Promise<StepReport> {
  const document = lifecycleDocument(actor.workspace)
  repairOutbox(actor.mailbox, (address) => actor.world.mailboxOf(address))
  const handled: Handled[] = []
  for (let lost = 0; ;) {
    // the head before the inbox: what is handled later than the head was read cannot be listed as unhandled
    const { head, snapshot } = readPresent(actor)
    document.catchUp(head)
    finishEffects(actor, head.content)
    const signals = actor.mailbox.unacknowledged()
    const { fresh, settled } = sortOut(head.content, signals, snapshot)
    actor.mailbox.acknowledgeFiles(settled)
    const at = now()
    const version = head.version + 1
    const remembered = new Set(head.content.remembered.map(({ id }) => id))
    const batch = await fold(actor, snapshot, fresh, { version, at, remembered })
    if (batch.handled.length === 0) {
      return {
        team: actor.team,
        state: leafOf(snapshot),
        version: head.version,
        handled,
        deferred: batch.deferred,
      }
    }
    const { commit: _stamped, version: _number, ...last } = head.content
    const committed = document.commit(head, {
      ...last,
      at,
      snapshot: encodeSnapshot(batch.snapshot),
      handled: [...batch.handled],
      effects: [...batch.effects],
      remembered: remember(head.content, batch.handled, signals),
    } as Lifecycle)
    if (committed === undefined) {
      backOff((lost += 1))
      continue
    }
    finishEffects(actor, committed.content)
    actor.mailbox.acknowledgeFiles(batch.decided)
    handled.push(...batch.handled)
  }
}

/** Parts what an earlier commit handled (its process died before acknowledging) from what is new. */
function sortOut({ remembered }: Lifecycle, signals: readonly FiledSignal[], snapshot: AnyMachineSnapshot) {
  const known = new Set(remembered.map(({ id, file }) => `${id} ${file}`))
  const isSettled = ({ id, file }: FiledSignal) => known.has(`${id} ${file}`)
  return {
    fresh: signals.filter((signal) => !isSettled(signal)),
    settled: signals
      .filter((signal) => isSettled(signal) && isEvent(signal, snapshot))
      .map(({ file }) => file),
  }
}

function remember(last: Lifecycle, handled: readonly Handled[], unacknowledged: readonly FiledSignal[]) {
  const all = [...last.remembered, ...handled.map(({ signal, file }) => ({ id: signal, file }))]
  const waiting = new Set(unacknowledged.map(({ file }) => file))
  const older = all.slice(0, -rememberedCount).filter(({ file }) => waiting.has(file))
  return [...older, ...all.slice(-rememberedCount)]
}

/**
 * Begins the next mission: a commit like any other, with a fresh snapshot. Milestones of the old mission that
 * were not handled yet are refused by it; the old versions, the deliverable and the sessions are put away
 * under `.fed/missions/<n>/`, and nothing is deleted.
 * @param mission number of the mission that is over; when another process began the next already, nothing is done.
 * @param again the old mission's words become the new mission, unless another directive of meta waits already.
 * @returns the number of the present mission.
 */
export function reset(actor: Actor, mission: number, again = false): number {
  const document = lifecycleDocument(actor.workspace)
  for (let lost = 0; ;) {
    const { head, snapshot } = readPresent(actor)
    document.catchUp(head)
    finishEffects(actor, head.content)
    if (head.content.mission !== mission) return head.content.mission
    const signals = actor.mailbox.unacknowledged()
    const { fresh: unhandled, settled } = sortOut(head.content, signals, snapshot)
    actor.mailbox.acknowledgeFiles(settled)
    const milestones = unhandled.filter(({ from }) => from === actor.team)
    const { commit: _stamped, version: _number, ...last } = head.content
    const fresh = initialSnapshot(actor.logic, actor.team)
    const states = { from: leafOf(snapshot), to: leafOf(fresh) }
    const at = now()
    const handled = milestones.map((signal): Handled => ({
      ...entryFor(signal, states),
      outcome: 'refused',
      refusal: { kind: 'earlier-mission', message: `it belongs to mission ${last.mission}, which is over` },
    }))
    const committed = document.commit(head, {
      ...last,
      at,
      mission: last.mission + 1,
      snapshot: encodeSnapshot(fresh),
      handled,
      effects: [
        { kind: 'archive-mission', mission: last.mission, hasDeliverable: hasDeliverable(actor) },
        ...(again && !unhandled.some(isMissionDirective) ? sameMission(snapshot, head.version + 1, at) : []),
        { kind: 'level-registry' },
      ],
      remembered: remember(head.content, handled, signals),
    } as Lifecycle)
    if (committed === undefined) {
      backOff((lost += 1))
      continue
    }
    finishEffects(actor, committed.content)
    actor.mailbox.acknowledgeFiles(milestones.map(({ file }) => file))
    return committed.content.mission
  }
}

function hasDeliverable({ workspace, world }: Actor): boolean {
  return disk.exists(path.join(workspace, world.config.deliverable))
}

function isMissionDirective({ type, from, subject }: FiledSignal): boolean {
  return type === 'directive' && from === META && !controlSubjects.includes(kebab(subject))
}

/** The mission as a directive once more; part of the commit, so that a kill cannot lose it. */
function sameMission(snapshot: AnyMachineSnapshot, version: number, at: string): Effect[] {
  const { team, mission } = snapshot.context as TeamContext
  return mission === null ? [] : [{ kind: 'send', signal: repeatedMission(team, mission, { version, at }) }]
}

/** A signal that a team sends to itself, and the step that it causes: what `fed report` and `fed alert` do. */
export async function tellSelf(
  actor: Actor,
  milestone: Pick<SignalDraft, 'type' | 'subject' | 'body'>,
): Promise<{ readonly entry: Handled | undefined; readonly report: StepReport }> {
  const signal = compose({ ...milestone, from: actor.team, to: actor.team })
  deliverAll([{ signal, from: actor.mailbox, to: actor.mailbox }])
  const report = await step(actor)
  return { entry: handledEntry(actor, signal.id), report }
}

/** What became of a signal, whichever process handled it; undefined while it waits. */
export function handledEntry(actor: Actor, id: string): Handled | undefined {
  const document = lifecycleDocument(actor.workspace)
  for (const version of document.versions().toReversed()) {
    const entry = document.version(version)?.handled.find(({ signal }) => signal === id)
    if (entry !== undefined) return entry
  }
  return undefined
}
