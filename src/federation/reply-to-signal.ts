import { RefusedError } from '../errors/fed-error.ts'
import type { Federation } from './federation.ts'
import type { SignalType } from '../protocol/signal.ts'
import { idOfReply } from '../records/signals/answer-link.ts'
import type { FiledSignal } from '../records/signals/mailbox.ts'
import { dispose } from './mail.ts'
import { say } from './send-checked.ts'
import { subjectOf } from './mission.ts'

export interface Answer {
  /** A report unless told otherwise. */
  readonly type?: SignalType
  /** Without one it is `Re: ` and the signal's. */
  readonly subject?: string | undefined
  readonly body?: string | undefined
}

/**
 * Answers a signal of an inbox, which acknowledges it. The same answer given again, because the process that
 * gave it was killed before it acknowledged, is the same signal.
 * @param reference the signal's file, its id, or the beginning of its id.
 * @returns the answer as filed with whoever asked.
 * @throws {SignalNotFoundError | UsageError} and {RefusedError} for an event that waits for its state.
 */
export async function reply(
  federation: Federation,
  address: string,
  reference: string,
  { type = 'report', subject, body }: Answer,
): Promise<FiledSignal> {
  const mailbox = federation.mailbox(address)
  const asked = mailbox.find(reference)
  const disposition = await dispose(federation, address, asked)
  if (typeof disposition === 'object') throw new RefusedError(disposition.waiting)
  const said = { type, subject: (subject ?? subjectOf(`Re: ${asked.subject}`)).trim(), body: body ?? '' }
  const answer = await say(federation, {
    from: address,
    to: asked.from,
    ...said,
    id: idOfReply(asked.id, said),
    timestamp: asked.timestamp,
  })
  if (disposition === 'mail') mailbox.acknowledgeFiles([asked.file])
  return answer
}
