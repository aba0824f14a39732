import { v5 as uuidOf } from 'uuid'
import type { SignalMessage } from '../../protocol/signal.ts'

/** Namespace of the ids of what a team's machine says to a signal, so that saying it twice makes one signal. */
const MACHINE = '6f0d6a0e-7c0b-4a53-9d6b-2f7a0c1de9b4'
/** Namespace of the ids of replies. */
const REPLY = '0d9b7c52-6f3e-4a1b-8c27-5e4f9a3b1d60'

/**
 * What becomes of a question besides a reply: the machine's answer, its refusal, word that none will come, or
 * word from meta that nobody answered in time.
 */
const outcomes = ['answer', 'refused', 'unanswered', 'no-answer'] as const
export type Outcome = (typeof outcomes)[number]

type Asked = Pick<SignalMessage, 'id' | 'from' | 'to'>
type Said = Pick<SignalMessage, 'id' | 'from' | 'to' | 'type' | 'subject' | 'body'>

/**
 * The id of what is said to a signal. A signal has no field that names what it answers (spec §2.1), so its id does:
 * whoever has the question finds its answer, whatever either is called.
 * @param team that was asked.
 * @param signal id of what it was asked.
 */
export function idOfOutcome(team: string, signal: string, outcome: Outcome): string {
  return uuidOf(`${team}/${signal}/${outcome}`, MACHINE)
}

/** The id of a reply to a signal: the same reply given again is the same signal. */
export function idOfReply(signal: string, { type, subject, body }: Pick<Said, 'type' | 'subject' | 'body'>) {
  return uuidOf(JSON.stringify([signal, 'reply', type, subject, body]), REPLY)
}

/** Whether a signal answers this very question, or says that nothing will. */
export function isAnswerTo(question: Asked, said: Said): boolean {
  if (said.to !== question.from) return false
  if (outcomes.some((outcome) => said.id === idOfOutcome(question.to, question.id, outcome))) return true
  return said.from === question.to && said.id === idOfReply(question.id, said)
}
