import { v5 as uuidOf } from 'uuid'
import { PROTOCOL, maxSubjectLength, type SignalMessage } from '../protocol/signal.ts'
import { META } from '../protocol/team-id.ts'
import type { Refusal } from './lifecycle.ts'

/** Namespace of ids that are made from what they answer, so that doing it twice makes one signal. */
const NAMESPACE = '6f0d6a0e-7c0b-4a53-9d6b-2f7a0c1de9b4'

function shortened(subject: string): string {
  return [...subject].slice(0, maxSubjectLength).join('')
}

/** What `meta` hears when a team's machine moved; one signal for each team, version and effect. */
export function transitionReport(
  team: string,
  moved: { from: string; to: string; event: string; detail?: string },
  place: { version: number; index: number; at: string },
): SignalMessage {
  const detail = moved.detail === undefined || moved.detail.trim() === '' ? '' : `\n\n${moved.detail}`
  return {
    id: uuidOf(`${team}/${place.version}/${place.index}`, NAMESPACE),
    timestamp: place.at,
    from: team,
    to: META,
    type: 'report',
    subject: shortened(`${team}: ${moved.from} to ${moved.to}`),
    body: `${team} moved from ${moved.from} to ${moved.to} by ${moved.event}.${detail}`,
    protocol: PROTOCOL,
  }
}

/** A signal out that a machine asked for; one for each team, version and effect. */
export function askedSignal(
  team: string,
  asked: { to: string; subject: string; body: string },
  place: { version: number; index: number; at: string },
): SignalMessage {
  return {
    id: uuidOf(`${team}/${place.version}/${place.index}`, NAMESPACE),
    timestamp: place.at,
    from: team,
    to: asked.to,
    type: 'report',
    subject: shortened(asked.subject),
    body: asked.body,
    protocol: PROTOCOL,
  }
}

/** What a sender hears when its signal was refused; its id and time come from the signal, so it is sent once. */
export function refusalAlert(team: string, refused: SignalMessage, { message }: Refusal): SignalMessage {
  return {
    id: uuidOf(`${refused.id}/refused`, NAMESPACE),
    timestamp: refused.timestamp,
    from: team,
    to: refused.from,
    type: 'alert',
    subject: shortened(`Refused: ${refused.subject}`),
    body: `${team} refused ${refused.type} '${refused.subject}': ${message}`,
    protocol: PROTOCOL,
  }
}
