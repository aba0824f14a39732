import type { SignalMessage } from '../../protocol/signal.ts'
import { deliverAll, isDelivered, type Dispatch } from '../../records/signals/deliver.ts'
import { unansweredAlert } from './outgoing-signals.ts'
import { asSignal, heldQuestion } from './held-question.ts'
import { readPresent } from './present.ts'
import type { Actor } from './world.ts'

/**
 * Tells whoever waits for an answer of a team that was put away that none will come: who asked what it was
 * researching, and whose questions nobody has read. Each is told once, whoever does it and however often.
 */
export async function tellAskers(actor: Actor): Promise<void> {
  const { head, snapshot } = readPresent(actor)
  const held = snapshot.status === 'active' ? heldQuestion(snapshot) : null
  const asked = [
    ...(held === null ? [] : [asSignal(held, head.content.at)]),
    ...actor.mailbox.unacknowledged().filter(({ type }) => type === 'question'),
  ]
  const untold = asked.flatMap((question) => dispatchOf(actor, question) ?? [])
  if (untold.length > 0) await deliverAll(untold)
}

function dispatchOf(
  { team, mailbox, world }: Actor,
  question: Pick<SignalMessage, 'id' | 'from' | 'timestamp' | 'subject'>,
): Dispatch | undefined {
  const to = question.from === team ? undefined : world.mailboxOf(question.from)
  // somebody who is gone by now needs no answer
  if (to === undefined || !to.isThere()) return undefined
  const signal = unansweredAlert(team, question, 'is archived')
  return isDelivered(signal, to) ? undefined : { signal, from: mailbox, to }
}
