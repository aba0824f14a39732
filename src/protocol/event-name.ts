import type { SignalMessage, SignalType } from './signal.ts'

/** The event that a signal is for its recipient's machine: `<type>.<subject-in-kebab-case>`. */
export type EventName = `${SignalType}.${string}`

/** What the subject becomes when nothing of it can stand in a name. */
const nameless = 'untitled'

/** Longest kebab subject in bytes: with timestamp, type, id and `.json.ack` a name stays below 255 bytes. */
const maxBytes = 120

/**
 * A subject in kebab-case (spec §4.2): letters and digits of any script in lower case, every other run of
 * characters one `-`. Composed form (NFC), so that one subject is one name on every file system. Cut at 120
 * bytes between characters; `untitled` when no letter or digit is left.
 */
export function kebab(subject: string): string {
  const words = subject
    .normalize('NFC')
    .toLowerCase()
    .normalize('NFC')
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  if (words === null) return nameless
  const whole = words.join('-')
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  let cut = ''
  let bytes = 0
  for (const character of whole) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    cut += character
  }
  return cut.replace(/-+$/, '')
}

/** The event comes from the parsed content, never from the file's name; a type prefix keeps `xstate.*` out. */
export function eventOf(signal: Pick<SignalMessage, 'type' | 'subject'>): EventName {
  return `${signal.type}.${kebab(signal.subject)}`
}

/** `YYYY-MM-DDTHHMMSSZ`, the timestamp's second in UTC without colons (spec §4.2). */
export function compactTimestamp(timestamp: string): string {
  return `${new Date(timestamp).toISOString().slice(0, 19).replaceAll(':', '')}Z`
}

/**
 * The names that a signal's file may take, in the order in which they are tried: the specification's shape,
 * then with the id's last eight digits, then with the whole id.
 */
export function fileNamesOf(signal: SignalMessage): readonly [string, string, string] {
  const stem = `${compactTimestamp(signal.timestamp)}-${signal.type}-${kebab(signal.subject)}`
  return [`${stem}.json`, `${stem}-${signal.id.slice(-8)}.json`, `${stem}-${signal.id}.json`]
}
