import type { AnyMachineSnapshot } from 'xstate'
import type { ConsultantContext } from '../../../machines/consultant.ts'
import type { Question, TeamContext } from '../../../machines/team-event.ts'
import { fileNamesOf } from '../../protocol/event-name.ts'
import { PROTOCOL, type SignalMessage } from '../../protocol/signal.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { unansweredAlert } from './outgoing-signals.ts'
import { leafOf } from '../decide/transitions.ts'

/**
 * The question that a team's machine has and has not answered: one that it took up, or one that the mission before
 * left. A machine of a federation's own may mean something else by the name: then there is none.
 */
export function heldQuestion({ context }: Pick<AnyMachineSnapshot, 'context'>): Question | null {
  const { question, leftQuestion } = context as Partial<ConsultantContext>
  const held = question ?? leftQuestion
  const isQuestion = typeof held?.signal === 'string' && typeof held.from === 'string'
  return isQuestion ? held : null
}

/**
 * What an asker hears when the mission that had its question ended without an answer.
 * @param at time to bear where the question's is not known, ISO 8601.
 */
export function unansweredAtEnd(
  team: string,
  ended: AnyMachineSnapshot,
  at: string,
): SignalMessage | undefined {
  const question = heldQuestion(ended)
  // whoever asks itself would only be told what it just did
  if (question === null || question.from === team) return undefined
  const { failure } = ended.context as TeamContext
  const why = failure === null ? `is ${leafOf(ended)}` : `failed: ${failure.reason}`
  return unansweredAlert(team, asSignal(question, at), why)
}

/** A question as the signal that asked it. */
export function asSignal({ signal, at, from, subject }: Question, present: string) {
  return { id: signal, from, subject, timestamp: at ?? present }
}

/**
 * The question that the mission before left, as its signal once more: its file was acknowledged when it was taken up
 * first, so that no inbox shows it. None once the team has ended: then its asker was told.
 */
export function leftSignal(team: string, snapshot: AnyMachineSnapshot, at: string): FiledSignal | undefined {
  const { leftQuestion } = snapshot.context as Partial<ConsultantContext>
  if (leftQuestion == null || snapshot.status !== 'active') return undefined
  const { body } = leftQuestion
  const signal = {
    ...asSignal(leftQuestion, at),
    to: team,
    type: 'question',
    body,
    protocol: PROTOCOL,
  } as const
  return { ...signal, file: fileNamesOf(signal)[0] }
}
