import { InvalidArgumentError } from 'commander'
import { presentMs } from '../../protocol/clock.ts'

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
