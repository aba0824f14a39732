import { UnfinishedError } from '../../errors/fed-error.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { compose, type SignalDraft } from '../../records/signals/compose.ts'
import type { FiledSignal, Mailbox } from '../../records/signals/mailbox.ts'
import { noteSenders } from '../../records/registry/last-active.ts'
import { deliverAll } from '../../records/signals/deliver.ts'
import { handledEarlier } from './earlier.ts'
import type { Handled, Lifecycle } from '../decide/lifecycle.ts'
import { mendBeforeSending } from './mend-outbox.ts'
import { readPresent } from './present.ts'
import { stepped, type StepReport } from './step.ts'
import { acceptedEvents } from '../decide/transitions.ts'
import { isSystemTrouble } from './unfinished.ts'
import type { Actor } from './world.ts'

/** What became of a signal that was sent to a team and stepped. */
export interface Told {
  readonly signal: FiledSignal
  /** What was done with it; undefined while it waits for a state that takes it. */
  readonly entry: Handled | undefined
  readonly report: StepReport
  /** Events that the state declares in which the team is after the step. */
  readonly accepts: readonly string[]
}

/**
 * Sends a signal to a team and steps it. If a signal of the same words waits already, because the command
 * that sent it was killed or failed before it could step, no second one is sent.
 * @param draft with an `id` it is handled once, however many processes send it; with a `timestamp` as well,
 *   it is one file.
 * @throws {UnfinishedError} when the disk fails after it was sent: then it waits, or was handled already.
 */
export async function tell(
  actor: Actor,
  from: Mailbox,
  draft: Pick<SignalDraft, 'type' | 'subject' | 'body' | 'id' | 'timestamp'>,
): Promise<Told> {
  const composed = compose({ ...draft, from: from.address, to: actor.team })
  mendBeforeSending(actor.world, from)
  // the head before the listing, as in a step: what waits now and was not handled by then is handled later
  const { head } = readPresent(actor)
  const waiting = actor.mailbox.unacknowledged()
  if (waiting.length > 0) {
    // what waits comes first, also where the clock that dated it is ahead of this one
    const { report, snapshot } = await stepped(actor)
    const same = waiting.find((signal) => saysTheSame(signal, composed))
    const wasHandled = same !== undefined && handledBy(actor, head.content, same) !== undefined
    if (same !== undefined && !wasHandled)
      return { signal: same, entry: entryIn(actor, same, report), report, accepts: acceptedEvents(snapshot) }
  }
  const [signal] = await asWaiting(actor, composed, async () => {
    const filed = await deliverAll([{ signal: composed, from, to: actor.mailbox }])
    return filed as [FiledSignal]
  })
  const { report, snapshot } = await asWaiting(actor, composed, () => stepped(actor))
  // where it moved the machine the step has noted it
  noteSenders(actor.world.registry, [from.address], signal.timestamp)
  return { signal, entry: entryIn(actor, signal, report), report, accepts: acceptedEvents(snapshot) }
}

/**
 * Runs `act`, which delivers a signal or steps its team.
 * @throws {UnfinishedError} when the disk fails while the signal is delivered and waits for a commit.
 */
async function asWaiting<Result>(
  actor: Actor,
  { id, subject }: SignalMessage,
  act: () => Promise<Result>,
): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (!isSystemTrouble(error)) throw error
    const waits = actor.mailbox.unacknowledged().find((signal) => signal.id === id)
    if (waits === undefined || handledByNow(actor, waits) !== undefined) throw error
    const { team } = actor
    throw new UnfinishedError(
      `'${subject}' was sent to ${team} and waits in its inbox`,
      `whatever steps ${team} next handles it`,
      error,
    )
  }
}

function saysTheSame(one: SignalMessage, other: SignalMessage): boolean {
  return (['from', 'type', 'subject', 'body'] as const).every((field) => one[field] === other[field])
}

/** The entry for a signal in the newest commit, up to `head`, that handled it; undefined where none did. */
function handledBy(actor: Actor, head: Lifecycle, signal: FiledSignal): Handled | undefined {
  return handledEarlier(actor, head, [signal]).get(signal.id)?.[0]
}

/** What became of a signal, by this step or by another process before it; undefined while it is deferred. */
function entryIn(actor: Actor, signal: FiledSignal, { handled, deferred }: StepReport): Handled | undefined {
  if (deferred.some(({ id }) => id === signal.id)) return undefined
  return handled.find((entry) => entry.signal === signal.id) ?? handledByNow(actor, signal)
}

function handledByNow(actor: Actor, signal: FiledSignal): Handled | undefined {
  return handledBy(actor, readPresent(actor).head.content, signal)
}
