import { presentMs } from '../../protocol/clock.ts'
import type { AgentReport } from '../sessions/session-reports.ts'

const limited =
  /usage limit|rate.?limit|limit reached|hit your .*limit|quota|too many requests|resource.?exhausted|overloaded_error|\b429\b/i
const unauthorized =
  /not logged in|logged out|\blogin\b|\b(?:please|must|to) log in\b|\blog in (?:to|with|again|first)\b|authenticat|unauthori[sz]ed|api.?key|\b401\b|credential|no account|auth method|subscription/i

/** Longest part of an agent's error message that is kept, in characters. */
const keptWords = 500

/**
 * What an agent's error message means: a limit of its provider, or an account that is missing or refused;
 * undefined for anything else. Give it error messages only, never words of a conversation.
 * @param status HTTP status that the provider answered the agent with, where the agent reports it.
 */
export function complaint(words: string, status?: unknown): AgentReport | undefined {
  const text = words.trim().slice(0, keptWords)
  if (status === 429 || limited.test(text))
    return { kind: 'limit', words: text, until: resumesAt(words) ?? null }
  if (status === 401 || status === 403 || unauthorized.test(text)) return { kind: 'refusal', words: text }
  return undefined
}

/** Longest believable limit, in milliseconds: a later end is a mistake, or told in other units. */
const longestLimitMs = 366 * 86_400_000

/**
 * The end of a limit as ISO 8601; undefined when it is more than 366 days away from the present.
 * @param told milliseconds since 1970, as the agent told them.
 */
export function timeOfLimit(told: number, present: Date = new Date(presentMs())): string | undefined {
  return Math.abs(told - present.getTime()) <= longestLimitMs ? new Date(told).toISOString() : undefined
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * When an agent may go on, as ISO 8601, read from its error message: a time (ISO 8601 or seconds since 1970),
 * a time of day, or a duration. Undefined where the message has none of these.
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

/** When this machine's clock next shows a time of day, as ISO 8601; undefined for what is no time of day. */
function nextTimeOfDay(clock: string, present: Date): string | undefined {
  const [, hours = '', minutes = '0', half] = /^(\d{1,2})(?::(\d\d))?\s*(am|pm)?$/i.exec(clock.trim()) ?? []
  if (hours === '' || (half === undefined && !clock.includes(':'))) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/pm/i.test(half) ? 12 : 0)
  const next = new Date(present)
  next.setHours(hour, Number(minutes), 0, 0)
  if (next <= present) next.setDate(next.getDate() + 1)
  return next.toISOString()
}
