import type { AnyMachineSnapshot } from 'xstate'
import type { TeamEvent } from '../../../machines/team-event.ts'
import { META } from '../../protocol/team-id.ts'
import { gatherEvidence } from './evidence.ts'
import { acceptedEvents, declaredTransitions, needOf, unmetGuards } from '../decide/transitions.ts'
import type { Actor } from './world.ts'

/** An event that the present state declares. */
export interface Acceptance {
  readonly event: string
  /**
   * What is still missing for it, in words. What guards ask of the signal's own content (`hasBody`) is always
   * listed, because there is no signal yet.
   */
  readonly missing: readonly string[]
}

/** Guards on who sends what kind of signal, which are left out: a status tells what to send, not who may. */
const aboutTheSender = new Set([
  'fromMeta',
  'fromCoordinator',
  'liftsOwnPause',
  'fromSelf',
  'fromRegistered',
  'isMission',
])

/** Every event that the team accepts now, each with what its guards still miss. */
export async function acceptances(actor: Actor, snapshot: AnyMachineSnapshot): Promise<Acceptance[]> {
  const accepted: Acceptance[] = []
  const signal = { id: '', at: '', from: META, subject: '', body: '' }
  const known = {}
  for (const event of acceptedEvents(snapshot)) {
    const supposed = { type: event, signal } as Pick<TeamEvent, 'type' | 'signal'>
    const evidence = await gatherEvidence(actor, snapshot, supposed, known)
    const ways = declaredTransitions(snapshot)
      .filter(({ eventType }) => eventType === event)
      .map((way) => unmetGuards(snapshot, way, { ...supposed, evidence } as TeamEvent))
      .map((guards) => guards.filter((guard) => !aboutTheSender.has(guard)))
    const [fewest] = ways.toSorted((a, b) => a.length - b.length)
    accepted.push({
      event,
      missing: (fewest ?? []).map((guard) => needOf(snapshot.machine, guard, evidence)),
    })
  }
  return accepted
}
