import { presentMs } from '../../protocol/clock.ts'
import type { ToldReport } from '../sessions/session-reports.ts'

/** What error messages say, by what it means for the session; the first that is found counts. */
const meanings = [
  {
    kind: 'overflow',
    says: /context_length_exceeded|context (?:length|window|limit)|(?:prompt|input|conversation|request) (?:is|was|as) too (?:long|large)|maximum context|exceeds the .{0,40}tokens/i,
  },
  // a limit that no time lifts
  {
    kind: 'refusal',
    says: /insufficient_quota|billing|credit balance|out of credits|payment required|(?:^|(?:status|error|code|http)\W{0,12})402\b/i,
  },
  {
    kind: 'limit',
    says: /usage limit|rate.?limit|limit reached|hit your .*limit|quota|too many requests|resource.?exhausted|(?:^|(?:status|error|code|http)\W{0,12})429\b/i,
  },
  {
    kind: 'refusal',
    says: /not logged in|logged out|\blogin\b|\b(?:please|must|to) log in\b|\blog in (?:to|with|again|first)\b|authenticat|unauthori[sz]ed|permission_error|api.?key|(?:^|(?:status|error|code|http)\W{0,12})401\b|credential|no account|auth method|subscription/i,
  },
  {
    kind: 'refusal',
    says: /model_not_found|(?:unknown|invalid|unsupported|no such) model|\bmodel\b.{0,60}(?:not (?:found|exist|supported|available)|unknown|no access)|\bprivileges\b|\bas root\b/i,
  },
  {
    kind: 'unavailable',
    says: /overloaded|(?:^|(?:status|error|code|http)\W{0,12})(?:408|5\d\d)\b|(?:service|temporarily) unavailable|bad gateway|gateway time.?out|internal (?:server )?error|server_error|api_error|connection (?:error|refused|reset|closed|lost)|stream (?:disconnected|closed|ended|error|reset)|network error|fetch failed|socket hang up|terminated early|ECONN\w+|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EPIPE|unable to connect|could not connect|timed out|request timeout/i,
  },
] as const

/** What an HTTP status of the provider means, where its words leave it open. */
function meaningOf(status: unknown): (typeof meanings)[number]['kind'] | undefined {
  if (typeof status !== 'number') return undefined
  if (status === 429) return 'limit'
  if (status === 401 || status === 402 || status === 403) return 'refusal'
  if (status === 408 || (status >= 500 && status < 600)) return 'unavailable'
  return undefined
}

/** Longest part of an agent's error message that is kept, in characters. */
const keptWords = 500

/** Codes of errors that are written like names. */
const codes =
  /^(?:context_length_exceeded|insufficient_quota|(?:rate_limit|usage_limit)\w*|resource_exhausted|too_many_requests|(?:authentication|permission|overloaded|server|api|billing)_error|(?:invalid|missing)_(?:x_)?api_key|(?:x-)?api[-_]key|model_not_found)$/i

/** What the operating system or a program says of files: the words beside it are names. */
const aboutFiles =
  /\b(?:ENOENT|EACCES|EEXIST|ENOTDIR|EISDIR|EPERM|ENOTEMPTY|EROFS)\b|no such file|file exists|(?:not|is) a directory|cannot (?:read|write|open|find|change|create|access|remove|stat)|is not trusted/i

/** What stands in quotes, unless it is JSON. */
const quoted = /‘[^’]*’|“[^”]*”|`[^`]*`|(?<!\w)'[^']*'(?!\w)|(?<![\w:{,[]\s*)"[^"]*"(?!\s*:)/g

/**
 * An error message without the names in it: a folder `login-svc` or `src/quota` says nothing about an account or a
 * limit. Names are what has a slash, or a sign within a word, or stands in quotes, and whatever a line about files says.
 */
function withoutNames(words: string): string {
  return words
    .split('\n')
    .filter((line) => !aboutFiles.test(line))
    .join(' ')
    .replaceAll(quoted, ' ')
    .replaceAll(/["{}[\],]/g, ' ')
    .replaceAll(/:(?=[a-z])/gi, ' ')
    .split(/\s+/)
    .filter((word) => {
      const bare = word.replaceAll(/^[('<]+|[)'>.;:!?]+$/g, '')
      if (codes.test(bare) || bare === '/login') return true
      return !/[/\\]/.test(bare) && !/[a-z0-9][-_.@][a-z]/i.test(bare)
    })
    .join(' ')
}

/**
 * What an agent's error message means; undefined for anything else. `limit`: it passes at a time; `refusal`: a person
 * has to see to it (account, money, model, rights); `unavailable`: the provider, or the way to it, fails for a while;
 * `overflow`: the session is longer than its model can read. Give it error messages only, never words of a
 * conversation.
 * @param status HTTP status that the provider answered the agent with, where the agent reports it.
 */
export function complaint(words: string, status?: unknown): ToldReport | undefined {
  const text = words.trim().slice(0, keptWords)
  const said = withoutNames(text)
  const told = meanings.find(({ says }) => says.test(said))?.kind
  const byStatus = meaningOf(status)
  // a status tells more surely than words, but for what it cannot tell: of the money, or of what is too long
  const isFiner = told === 'overflow' || (told === 'refusal' && byStatus === 'limit')
  const kind = isFiner ? told : (byStatus ?? told)
  if (kind === undefined) return undefined
  return kind === 'limit' ? { kind, words: text, until: resumesAt(words) ?? null } : { kind, words: text }
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
