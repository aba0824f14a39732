import type { LedgerDraft } from './chat-ledger.ts'
import { presentMs } from '../../protocol/clock.ts'

/** Milliseconds in which at most `burst` commands of one sender, and `mostOfAll` of all, are carried out. */
const rateMs = 60_000
export const burst = 10
const mostOfAll = 40

/** The longest rest between two looks at a channel, unless its interval is longer, in milliseconds. */
const longestRestMs = 300_000

/**
 * How long a channel is left alone before the next look, in milliseconds: its interval after anything happened, twice
 * as long with every look that found nothing, or failed, and five minutes at most.
 * @param idle how many looks one after the other found nothing, or failed.
 */
export function restBefore(intervalMs: number, idle: number): number {
  return Math.max(intervalMs, Math.min(longestRestMs, intervalMs * 2 ** idle))
}

/** Whether a sender's next command may be carried out now: there were not too many lately. */
export function hasRoom({ handled }: LedgerDraft, sender: string): boolean {
  const recent = handled.filter(({ answered, done }) => answered !== null && isYoung(done, rateMs))
  return recent.length < mostOfAll && recent.filter(({ answered }) => answered === sender).length < burst
}

/** The time as the clock is set: unlike a signal's it goes back with the clock, since only ages are told from it. */
export function clockTime(): string {
  return new Date(presentMs()).toISOString()
}

/** Whether something happened less than so many milliseconds ago; what is to come was before the clock was set back. */
export function isYoung(at: string, longestMs: number): boolean {
  const age = presentMs() - Date.parse(at)
  return age >= 0 && age < longestMs
}
