import type { Lifecycle } from '../decide/lifecycle.ts'
import { versionsAfter } from '../step/versions-after.ts'
import type { Actor } from '../step/world.ts'
import type { WireMessage } from './message.ts'
import { actorMessage, messagesOf } from './messages-of-commit.ts'

/**
 * A team's history as the wire tells it, from its first mission or of one mission: the same messages with the same
 * ids as while it happened.
 * @throws {CorruptDocumentError} when a version is damaged.
 */
export function* replay(actor: Actor, mission?: number): Generator<WireMessage> {
  let present: number | undefined
  for (const { read } of versionsAfter(actor, 0)) {
    const commit = read()
    if (commit === undefined || (mission !== undefined && commit.mission !== mission)) continue
    yield* told(actor, commit, present)
    present = commit.mission
  }
}

/** What one commit tells; the first of a mission tells of its machine before. */
export function told(
  { logic: { machine } }: Actor,
  commit: Lifecycle,
  mission: number | undefined,
): WireMessage[] {
  const begins = commit.mission === mission ? [] : [actorMessage(machine, commit)]
  return [...begins, ...messagesOf(machine, commit)]
}
