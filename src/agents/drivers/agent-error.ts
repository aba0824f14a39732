import { presentMs } from '../../protocol/clock.ts'
import type { AgentReport } from '../sessions/session-reports.ts'

const limited =
  /usage limit|rate.?limit|limit reached|hit your .*limit|quota|too many requests|resource.?exhausted|overloaded_error|\b429\b/i
const unauthorized =
  /not logged in|logged out|\blogin\b|\b(?:please|must|to) log in\b|\blog in (?:to|with|again|first)\b|authenticat|unauthori[sz]ed|api.?key|\b401\b|credential|no account|auth method|subscription/i

/** What is told of an agent's words, in characters. */
const keptWords = 500

/**
 * What an agent's last words on a failure mean: that it is over a limit, that it has no account, or nothing that
 * fed knows. Only words of an error are judged, never those of a conversation.
 * @param status the HTTP status that the agent was answered with, where it says so.
 */
export function complaint(words: string, status?: unknown): AgentReport | undefined {
  const text = words.trim().slice(0, keptWords)
  if (status === 429 || limited.test(text))
    return { kind: 'limit', words: text, until: resumesAt(words) ?? null }
  if (status === 401 || status === 403 || unauthorized.test(text)) return { kind: 'refusal', words: text }
  return undefined
}

/** No provider's limit lasts longer, in milliseconds: a later time is an error, or told in other units. */
const longestLimitMs = 366 * 86_400_000

/** A time that an agent told, in milliseconds since 1970, as ISO 8601; undefined for one that cannot be meant. */
export function timeOfLimit(told: number, present: Date = new Date(presentMs())): string | undefined {
  return Math.abs(told - present.getTime()) <= longestLimitMs ? new Date(told).toISOString() : undefined
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * When an agent may go on, as its words say it: a time (ISO 8601 or seconds since 1970), a time of day, or how
 * long it takes. ISO 8601; undefined where they do not say it.
 */
export function resumesAt(words: string, present: Date = new Date(presentMs())): string | undefined {
  const [iso] = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(words) ?? []
  if (iso !== undefined && !Number.isNaN(Date.parse(iso))) return timeOfLimit(Date.parse(iso), present)
  const [, seconds] = /\|(\d{10})\b/.exec(words) ?? []
  if (seconds !== undefined) return timeOfLimit(Number(seconds) * 1000, present)
  const [, clock] =
    /(?:again|resets?|available|until)\s+(?:at\s+)?(\d{1,2}(?::\d\d)?\s*(?:am|pm)?)\b(?!\s*[a-z])/i.exec(
      words,
    ) ?? []
  const [, span] =
    /(?:in|after|reset(?:s|ting)?(?: in| after)?)\s+((?:\d+(?:\.\d+)?\s*(?:days?|d|hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)[\s,]*(?:and\s+)?)+)/i.exec(
      words,
    ) ?? []
  if (span !== undefined) return timeOfLimit(present.getTime() + lengthOf(span), present)
  if (clock !== undefined) return nextTimeOfDay(clock, present)
  return undefined
}

function lengthOf(span: string): number {
  let length = 0
  for (const [, count, unit] of span.matchAll(/(\d+(?:\.\d+)?)\s*([dhms])/gi))
    length += Number(count) * (units[(unit as string).toLowerCase()] as number)
  return length
}

/** The next moment at which a clock of this machine shows a time of day. */
function nextTimeOfDay(clock: string, present: Date): string | undefined {
  const [, hours = '', minutes = '0', half] = /^(\d{1,2})(?::(\d\d))?\s*(am|pm)?$/i.exec(clock.trim()) ?? []
  if (hours === '' || (half === undefined && !clock.includes(':'))) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/pm/i.test(half) ? 12 : 0)
  const next = new Date(present)
  next.setHours(hour, Number(minutes), 0, 0)
  if (next <= present) next.setDate(next.getDate() + 1)
  return next.toISOString()
}
