import { InvalidArgumentError } from 'commander'
import { presentMs } from '../../protocol/clock.ts'

/** A date, or a date and a time with or without its zone. */
const iso = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

/** Reads a moment into milliseconds since 1970: ISO 8601, or so long ago, such as `2h` or `7d`. */
export function parseMoment(text: string): number {
  const trimmed = text.trim()
  if (iso.test(trimmed)) {
    const at = Date.parse(trimmed)
    // a day that no month has is taken for one of the next
    if (!Number.isNaN(at) && !isOverflowing(trimmed)) return at
  }
  try {
    return presentMs() - parseAge(trimmed)
  } catch {
    throw new InvalidArgumentError(
      'give a time such as 2026-11-20 or 2026-11-20T14:30:00Z, or an age such as 2h or 7d.',
    )
  }
}

function isOverflowing(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number) as [number, number, number]
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() !== day
}

const unitMs: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Reads an age such as `90m`, `12h`, `30d` or `8w` into milliseconds; `0` is any age. */
export function parseAge(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(text.trim()) ?? []
  if (text.trim() === '0') return 0
  const milliseconds = Number(count) * (unitMs[unit ?? ''] ?? Number.NaN)
  // beyond this there was no time
  if (!(milliseconds <= presentMs())) throw new InvalidArgumentError('give an age such as 12h, 30d or 8w.')
  return Math.round(milliseconds)
}
