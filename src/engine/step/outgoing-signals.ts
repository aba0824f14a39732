import { v5 as uuidOf } from 'uuid'
import type { AskedEffect, Instruction } from '../../../machines/team-event.ts'
import { PROTOCOL, maxBodyBytes, maxSubjectLength, type SignalMessage } from '../../protocol/signal.ts'
import { META } from '../../protocol/team-id.ts'
import { idOfOutcome } from '../../records/signals/answer-link.ts'
import type { Refusal } from '../decide/lifecycle.ts'

/** Namespace of ids that are made from what they answer, so that doing it twice makes one signal. */
const NAMESPACE = '6f0d6a0e-7c0b-4a53-9d6b-2f7a0c1de9b4'

function shortened(subject: string): string {
  return [...subject].slice(0, maxSubjectLength).join('')
}

/** Cuts a text to the longest body: it may quote a signal of any length, which another program wrote. */
function cutToABody(text: string): string {
  const bytes = Buffer.from(text)
  return bytes.length <= maxBodyBytes
    ? text
    : `${bytes
        .subarray(0, maxBodyBytes - 3)
        .toString()
        .replace(/\uFFFD$/, '')}…`
}

/**
 * Where an outgoing signal stands in its commit. Its id is made from that, so that carrying out the effects
 * of a commit twice makes the same signal.
 */
interface Place {
  readonly version: number
  readonly index: number
  readonly at: string
}

function signalAt(
  place: Place,
  team: string,
  parts: Pick<SignalMessage, 'from' | 'to' | 'type' | 'subject' | 'body'>,
): SignalMessage {
  return {
    id: uuidOf(`${team}/${place.version}/${place.index}`, NAMESPACE),
    timestamp: place.at,
    ...parts,
    subject: shortened(parts.subject),
    body: cutToABody(parts.body),
    protocol: PROTOCOL,
  }
}

/** The report that `meta`, or a team's coordinator, gets when its machine moved. */
export function transitionReport(
  team: string,
  to: string,
  moved: { from: string; to: string; event: string; detail?: string },
  place: Place,
): SignalMessage {
  const detail = moved.detail === undefined || moved.detail.trim() === '' ? '' : `\n\n${moved.detail}`
  return signalAt(place, team, {
    from: team,
    to,
    type: 'report',
    subject: `${team}: ${moved.from} to ${moved.to}`,
    body: `${team} moved from ${moved.from} to ${moved.to} by ${moved.event}.${detail}`,
  })
}

/** The move that a signal tells, if `transitionReport` wrote it; undefined where it tells another thing. */
export function toldMove({
  type,
  from: team,
  subject,
  body,
}: Pick<SignalMessage, 'type' | 'from' | 'subject' | 'body'>): { from: string; to: string } | undefined {
  const [, from, to] = /^(\S+) to (\S+)$/.exec(subject.slice(`${team}: `.length)) ?? []
  if (type !== 'report' || from === undefined || to === undefined) return undefined
  // an agent may choose the same subject for words of its own
  return body.startsWith(`${team} moved from ${from} to ${to} by `) ? { from, to } : undefined
}

/** An outgoing signal that a machine asked for; an answer has an id by which its asker finds it. */
export function askedSignal(
  team: string,
  { question, ...asked }: AskedEffect['params'],
  place: Place,
): SignalMessage {
  const signal = signalAt(place, team, { from: team, type: 'report', ...asked })
  return question === undefined ? signal : { ...signal, id: idOfOutcome(team, question, 'answer') }
}

/**
 * The alert that an asker gets when its question will not be answered. Its id and time come from the
 * question, so it is sent once, whoever sends it first.
 * @param why finishes the sentence "<team> …".
 */
export function unansweredAlert(
  team: string,
  { id, from, timestamp, subject }: Pick<SignalMessage, 'id' | 'from' | 'timestamp' | 'subject'>,
  why: string,
): SignalMessage {
  return {
    id: idOfOutcome(team, id, 'unanswered'),
    timestamp,
    from: team,
    to: from,
    type: 'alert',
    subject: shortened(`Unanswered: ${subject}`),
    body: cutToABody(`${team} ${why}; your question '${shortened(subject)}' has no answer`),
    protocol: PROTOCOL,
  }
}

/** A mission given once more, in meta's name. */
export function repeatedMission(
  team: string,
  { subject, body }: Pick<Instruction, 'subject' | 'body'>,
  place: Omit<Place, 'index'>,
): SignalMessage {
  return signalAt({ ...place, index: 0 }, team, { from: META, to: team, type: 'directive', subject, body })
}

/** Id of the directive that pauses an archived team found at work: the same for whoever finds it. */
export function idOfPause(team: string, version: number): string {
  return uuidOf(`${team}/${version}/archived`, NAMESPACE)
}

/** The alert on a refused signal, for its sender. Id and time come from the signal, so it is sent once. */
export function refusalAlert(team: string, refused: SignalMessage, { message }: Refusal): SignalMessage {
  return {
    id: idOfOutcome(team, refused.id, 'refused'),
    timestamp: refused.timestamp,
    from: team,
    to: refused.from,
    type: 'alert',
    subject: shortened(`Refused: ${refused.subject}`),
    body: cutToABody(`${team} refused ${refused.type} '${shortened(refused.subject)}': ${message}`),
    protocol: PROTOCOL,
  }
}
