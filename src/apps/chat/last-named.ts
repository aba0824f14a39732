import { clockTime, isYoung } from './message-age.ts'
import type { Claim, LedgerDraft } from './chat-ledger.ts'

/** Whoever says "them" outside of a thread means what they spoke of so long ago at most, in milliseconds. */
const bySenderMs = 30 * 60_000
/** In a thread it may be a day ago. */
const inThreadMs = 24 * 3_600_000
/** So many are remembered. */
const most = 200

type Place = Pick<Claim, 'thread' | 'sender'>

/**
 * The teams of whom a conversation was last: in the same thread, or else of the same sender.
 * @returns undefined when it was of none, or of all.
 */
export function lastNamed({ named }: LedgerDraft, { thread, sender }: Place): readonly string[] | undefined {
  const last =
    named.findLast((one) => one.thread === thread && isYoung(one.at, inThreadMs)) ??
    named.findLast((one) => one.sender === sender && isYoung(one.at, bySenderMs))
  return last === undefined || last.teams.length === 0 ? undefined : last.teams
}

/** Remembers of whom a conversation was. */
export function noteNamed(
  { named }: LedgerDraft,
  { thread, sender }: Place,
  teams: readonly string[],
): LedgerDraft['named'] {
  const others = named.filter((one) => one.thread !== thread || one.sender !== sender)
  return [...others, { thread, sender, teams: [...teams], at: clockTime() }].slice(-most)
}
