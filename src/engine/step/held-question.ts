import type { AnyMachineSnapshot } from 'xstate'
import type { ConsultantContext } from '../../../machines/consultant.ts'
import type { Question } from '../../../machines/team-event.ts'
import { fileNamesOf } from '../../protocol/event-name.ts'
import { PROTOCOL, type SignalMessage } from '../../protocol/signal.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { META } from '../../protocol/team-id.ts'
import { judge } from '../decide/judge.ts'
import { eventFrom, gatherEvidence } from './evidence.ts'
import { askedSignal, unansweredAlert } from './outgoing-signals.ts'
import type { Actor } from './world.ts'

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

/** A team that lets go of the question that it has. */
interface LettingGo {
  readonly actor: Actor
  /** How it stood before. */
  readonly snapshot: AnyMachineSnapshot
  /** Signals that it has not handled. */
  readonly waiting: readonly FiledSignal[]
  /** Why, in words that finish the sentence "<team> …". */
  readonly why: string
  /** Time to bear where the question's is not known, ISO 8601. */
  readonly at: string
}

/**
 * What an asker hears of a team that lets go of its question: the answer, where that waits for the team to be
 * resumed, else word that none will come. It is the same signal whoever makes it and however often.
 */
export async function lastWord(lettingGo: LettingGo): Promise<SignalMessage | undefined> {
  const { actor, snapshot, why, at } = lettingGo
  const question = heldQuestion(snapshot)
  // whoever asks itself would only be told what it just did
  if (question === null || question.from === actor.team) return undefined
  const answer = await waitingAnswer(lettingGo, question)
  return answer ?? unansweredAlert(actor.team, asSignal(question, at), why)
}

/** The answer that the machine would give if the team were resumed now. */
async function waitingAnswer(
  { actor, snapshot, waiting, at }: LettingGo,
  { signal: question }: Question,
): Promise<SignalMessage | undefined> {
  const { logic, team } = actor
  const order = { id: question, at, from: META, subject: 'resume', body: '' }
  const resumed = judge(logic, snapshot, { type: 'directive.resume', signal: order, evidence: {} })
  if (resumed.outcome !== 'accepted') return undefined
  for (const signal of waiting.filter(({ from }) => from === team)) {
    const asked = eventFrom(signal)
    const evidence = await gatherEvidence(actor, resumed.next, asked)
    const decision = judge(logic, resumed.next, { ...asked, evidence })
    const said = decision.outcome === 'accepted' ? decision.asked : []
    const answer = said.find(({ params }) => params.question === question)
    if (answer !== undefined)
      return askedSignal(team, answer.params, { version: 0, index: 0, at: signal.timestamp })
  }
  return undefined
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
