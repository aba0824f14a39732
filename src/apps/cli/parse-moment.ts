import { InvalidArgumentError } from 'commander'
import { presentMs } from '../../protocol/clock.ts'
import { parseAge } from './parse-age.ts'

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
