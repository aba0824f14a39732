import { leafOfValue } from '../../../../engine/decide/phase.ts'
import type { Move } from '../../../../diagram/mission-path.ts'
import { exact } from '../../dashboard/page/figures-in-words.ts'
import type { WireMessage, WireSnapshot } from '../../../../engine/inspection/message.ts'

/** A machine in one mission. */
export interface Session {
  readonly id: string
  readonly team: string
  readonly mission: number
  /** In the order of the team's life. */
  readonly messages: WireMessage[]
}

/** More messages are not remembered: those of the machines that were heard of first are let go. */
const mostMessages = 50_000

/** Every machine that was heard of, in that order, with its messages, each once. */
export class Sessions {
  readonly #sessions = new Map<string, Session>()
  readonly #known = new Set<string>()

  get all(): Session[] {
    return [...this.#sessions.values()]
  }

  of(id: string | undefined): Session | undefined {
    return this.#sessions.get(id ?? '')
  }

  hear(messages: readonly WireMessage[]): void {
    for (const message of messages) {
      if (this.#known.has(message.id)) continue
      this.#known.add(message.id)
      const { sessionId: id, fed } = message
      const session = this.#sessions.get(id) ?? { id, team: fed.team, mission: fed.mission, messages: [] }
      this.#sessions.set(id, session)
      // two processes may tell in another order than they committed
      const place = session.messages.findLastIndex((other) => order(other) <= order(message)) + 1
      session.messages.splice(place, 0, message)
    }
    for (const { id, messages: old } of this.all) {
      if (this.#known.size <= mostMessages || this.#sessions.size === 1) break
      this.#sessions.delete(id)
      for (const message of old) this.#known.delete(message.id)
    }
  }
}

/** Of a team's messages by version, then by their place in it; a machine's first comes before all. */
function order({ type, fed }: WireMessage): number {
  return type === '@xstate.actor' ? -1 : fed.version * 10_000 + fed.index
}

export const leafOf = (snapshot: WireSnapshot | undefined) => snapshot && leafOfValue(snapshot.value)

/** By what a state is coloured; by nothing special while the machine works. */
export function toneOf(state: string | undefined, status: WireSnapshot['status'] | undefined): string {
  if (state === 'paused') return 'paused'
  return status !== 'done' ? '' : state === 'failed' ? 'failed' : 'done'
}

export function snapshotOf(message: WireMessage | undefined): WireSnapshot | undefined {
  return message === undefined || message.type === '@xstate.event' ? undefined : message.snapshot
}

/**
 * Some messages of a session, and what they come to.
 * @param cursor the last one's place; undefined is the last that there is.
 */
export function lookAt({ messages }: Session, cursor: number | undefined) {
  const seen = messages.slice(0, (cursor ?? messages.length - 1) + 1)
  const moves: Move[] = []
  const entered = new Set<string>()
  let here: string | undefined
  for (const message of seen) {
    const next = leafOf(snapshotOf(message))
    if (next === undefined) continue
    if (here !== undefined && here !== next && message.type === '@xstate.snapshot')
      moves.push({ at: exact(Number(message.createdAt)), event: message.event.type, from: here, to: next })
    entered.add(next)
    here = next
  }
  const snapshot = snapshotOf(seen.findLast((message) => snapshotOf(message)?.context !== undefined))
  return {
    seen,
    moves,
    entered,
    here,
    snapshot,
    status: snapshotOf(seen.findLast((one) => one.type !== '@xstate.event'))?.status,
  }
}
