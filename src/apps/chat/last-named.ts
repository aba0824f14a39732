import { clockTime, isYoung } from './pace.ts'
import type { Claim, LedgerDraft } from './chat-ledger.ts'

/** How long "them" refers to the teams that the same sender named in another thread, in milliseconds. */
const bySenderMs = 30 * 60_000
/** How long "them" refers to the teams named in the same thread, by whomever, in milliseconds. */
const inThreadMs = 24 * 3_600_000
/** Most conversations that are remembered. */
const most = 200

type Place = Pick<Claim, 'thread' | 'sender'>

/**
 * The teams that a conversation was last about: in the same thread, or else of the same sender.
 * @returns undefined when it was about none, or about all.
 */
export function lastNamed({ named }: LedgerDraft, { thread, sender }: Place): readonly string[] | undefined {
  const last =
    named.findLast((one) => one.thread === thread && isYoung(one.at, inThreadMs)) ??
    named.findLast((one) => one.sender === sender && isYoung(one.at, bySenderMs))
  return last === undefined || last.teams.length === 0 ? undefined : last.teams
}

/**
 * Remembers the teams that a conversation was about.
 * @param teams none where it was about all.
 * @returns what the ledger is to have as `named`.
 */
export function noteNamed(
  { named }: LedgerDraft,
  { thread, sender }: Place,
  teams: readonly string[],
): LedgerDraft['named'] {
  const others = named.filter((one) => one.thread !== thread || one.sender !== sender)
  return [...others, { thread, sender, teams: [...teams], at: clockTime() }].slice(-most)
}
