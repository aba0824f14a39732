import { InvalidArgumentError } from 'commander'

const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Timers hold no more. */
const longestMs = 24 * 24 * 3_600_000

/** Reads `500ms`, `30s`, `10m` or `2h` into whole milliseconds, rounded up; a bare number is seconds. */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim())
  const milliseconds =
    match === null ? Number.NaN : Number(match[1]) * (unitMs[match[2] ?? 's'] ?? Number.NaN)
  if (milliseconds > longestMs) throw new InvalidArgumentError('give at most 24 days (576h).')
  if (!(milliseconds > 0)) throw new InvalidArgumentError('give a duration such as 500ms, 30s, 10m or 2h.')
  // the precision takes what the multiplication added: 0.07h is 252000 ms, not one more
  return Math.ceil(Number(milliseconds.toPrecision(12)))
}

/** Milliseconds as people read them. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${seconds.toFixed(1)}s`
  if (seconds < 60) return `${Math.floor(seconds)}s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes}m ${Math.floor(seconds % 60)}s`
    : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}

/** Reads a whole number of at least 1. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('give a whole number from 1.')
  return Number(text)
}
