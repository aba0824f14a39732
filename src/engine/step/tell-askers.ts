import type { SignalMessage } from '../../protocol/signal.ts'
import { deliverAll, isDelivered, type Dispatch } from '../../records/signals/deliver.ts'
import { unansweredAlert } from './outgoing-signals.ts'
import { lastWord } from './held-question.ts'
import { readPresent } from './present.ts'
import type { Actor } from './world.ts'

/**
 * Tells whoever waits for an answer of a team that was put away that none will come: who asked what it was
 * researching, unless its answer waits and is told now, and whose questions nobody has read. Each is told once,
 * whoever does it and however often.
 */
export async function tellAskers(actor: Actor): Promise<void> {
  const { head, snapshot } = readPresent(actor)
  const waiting = actor.mailbox.unacknowledged()
  const lettingGo = { actor, snapshot, waiting, why, at: head.content.at }
  const told = snapshot.status === 'active' ? await lastWord(lettingGo) : undefined
  const unread = waiting.filter(({ type, from }) => type === 'question' && from !== actor.team)
  const alerts = unread.map((question) => unansweredAlert(actor.team, question, why))
  const untold = [...(told === undefined ? [] : [told]), ...alerts].flatMap(
    (signal) => dispatchOf(actor, signal) ?? [],
  )
  if (untold.length > 0) await deliverAll(untold)
}

const why = 'is archived'

function dispatchOf({ mailbox, world }: Actor, signal: SignalMessage): Dispatch | undefined {
  const to = world.mailboxOf(signal.to)
  // somebody who is gone by now needs no answer
  if (to === undefined || !to.isThere()) return undefined
  return isDelivered(signal, to) ? undefined : { signal, from: mailbox, to }
}
