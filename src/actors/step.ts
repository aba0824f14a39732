import { now } from '../protocol/time.ts'
import { compose, type SignalDraft } from '../signals/compose.ts'
import type { FiledSignal } from '../signals/mailbox.ts'
import { deliverAll, repairOutbox } from '../signals/send.ts'
import { backOff } from '../storage/versioned-document.ts'
import { finishEffects } from './effects.ts'
import { fold } from './fold.ts'
import { lifecycleDocument, type Handled, type Lifecycle } from './lifecycle.ts'
import { remember, sortOut } from './memory.ts'
import { readPresent } from './present.ts'
import { encodeSnapshot } from './snapshot.ts'
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
