import { presentMs } from '../../protocol/clock.ts'
import type { Actor } from '../../engine/step/world.ts'
import { PROTOCOL, type SignalMessage } from '../../protocol/signal.ts'
import { META } from '../../protocol/team-id.ts'
import { idOfOutcome } from '../../records/signals/answer-link.ts'
import { deliverAll } from '../../records/signals/deliver.ts'
import { openQuestions, type OpenQuestion } from './open-questions.ts'

/**
 * Tells a team, in meta's name, which of its questions nobody answered in time. Each is told once, whoever does it
 * and however often: id and time come from the question.
 * @param present milliseconds since 1970.
 * @returns the questions that are still waited for, oldest first.
 */
export async function tellUnanswered(actor: Actor, present: number = presentMs()): Promise<OpenQuestion[]> {
  const open = openQuestions(actor)
  const late = open.filter(({ until }) => until <= present)
  const meta = actor.world.mailboxOf(META)
  if (late.length > 0 && meta !== undefined) {
    const { questionTimeout } = actor.world.config
    await deliverAll(
      late.map((one) => ({ signal: noAnswer(one, questionTimeout), from: meta, to: actor.mailbox })),
    )
  }
  return open.filter(({ until }) => until > present)
}

function noAnswer(
  { id, from, to, subject, timestamp, until }: OpenQuestion,
  patience: string,
): SignalMessage {
  return {
    id: idOfOutcome(to, id, 'no-answer'),
    // not the question's: it has waited for nobody yet
    timestamp: new Date(until).toISOString(),
    from: META,
    to: from,
    type: 'alert',
    subject: 'No answer',
    body: `${to} has not answered your question '${subject}' of ${timestamp} within ${patience}. Go on without its answer, or ask somebody else; if you cannot, say why with 'fed alert information-missing'.`,
    protocol: PROTOCOL,
  }
}
