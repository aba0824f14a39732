import { v5 as uuidOf } from 'uuid'
import { RefusedError } from '../../errors/fed-error.ts'
import { META } from '../../protocol/team-id.ts'
import { compose } from '../../records/signals/compose.ts'
import { deliverAll } from '../../records/signals/deliver.ts'
import type { Team } from '../../federation/team.ts'
import type { SessionRecord } from './session-record.ts'

/** Namespace of the ids of the alerts to `meta` about a team that a launch paused. */
const NAMESPACE = '0c8de3a8-7a5e-4b62-8f0b-5f7f0f5b8f5d'

/** Why a launch pauses a team, and what a person does about it. */
interface Reason {
  /** In the directive that pauses it, before the words, and the subject of the alert to `meta`. */
  readonly why: string
  /** What happened: a part of a sentence. */
  readonly words: string
  /** How to go on: a sentence without its end. */
  readonly next: string
}

/**
 * Pauses a team and tells `meta` why, once for a session.
 * @returns the refusal with the same reason, for whoever launched the team.
 */
export async function pauseAndTell(
  team: Team,
  { mission, number }: Pick<SessionRecord, 'mission' | 'number'>,
  { why, words, next }: Reason,
): Promise<RefusedError> {
  // somebody else may have paused or ended it meanwhile
  const { finished, paused, state } = await team.stepped()
  if (finished) return new RefusedError(`${team.id} is ${state}: ${words}`)
  if (!paused) await team.direct('pause', `${why}: ${words}`)
  const meta = team.actor.world.mailboxOf(META)
  if (meta !== undefined) {
    const signal = compose({
      from: team.id,
      to: META,
      type: 'alert',
      subject: why,
      body: `The mission of '${team.id}' is paused: ${words}. ${next}.`,
      id: uuidOf(`${team.id}/${mission}-${number}/${why}`, NAMESPACE),
    })
    await deliverAll([{ signal, from: team.mailbox, to: meta }])
  }
  return new RefusedError(`${team.id} is paused: ${words}; ${next}`)
}
