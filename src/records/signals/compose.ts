import { v4 as uuid } from 'uuid'
import { UsageError } from '../../errors/fed-error.ts'
import {
  faultOfBody,
  maxSubjectLength,
  PROTOCOL,
  signalSchema,
  type SignalMessage,
  type SignalType,
} from '../../protocol/signal.ts'
import { describeProblems } from '../../protocol/problems.ts'
import { now } from '../../protocol/time.ts'

/** What a signal is made of. */
export interface SignalDraft {
  readonly from: string
  readonly to: string
  readonly type: SignalType
  readonly subject: string
  readonly body?: string
  /** Given when doing it twice must make one signal; a fresh UUID otherwise. */
  readonly id?: string
  /** ISO 8601; the present time otherwise. */
  readonly timestamp?: string
}

/**
 * Builds a SignalMessage with an id and a time of its own (spec §4.3).
 * @throws {UsageError} naming every field that is wrong.
 */
export function compose({ from, to, type, subject, body = '', ...given }: SignalDraft): SignalMessage {
  const trimmed = subject.trim()
  if (trimmed === '') throw new UsageError('subject: a signal needs one; keep it short')
  if ([...trimmed].length > maxSubjectLength) {
    throw new UsageError(`subject: longer than ${maxSubjectLength} characters; put the rest into the body`)
  }
  if (/\p{Cc}/u.test(trimmed)) throw new UsageError('subject: holds a control character or a line break')
  const bodyFault = faultOfBody(body)
  if (bodyFault !== undefined) throw new UsageError(`body: ${bodyFault}`)
  const { id = uuid(), timestamp = now() } = given
  const draft = { id, timestamp, from, to, type, subject: trimmed, body, protocol: PROTOCOL }
  const parsed = signalSchema.safeParse(draft)
  if (!parsed.success) {
    throw new UsageError(describeProblems(parsed.error))
  }
  return parsed.data
}
