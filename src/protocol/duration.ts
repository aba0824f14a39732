const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Timers hold no more, in milliseconds. */
export const longestMs = 24 * 24 * 3_600_000

/**
 * Reads `500ms`, `30s`, `10m` or `2h` into whole milliseconds, rounded up; a bare number is seconds.
 * @returns undefined for anything else, and for no time at all.
 */
export function durationOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim())
  const milliseconds =
    match === null ? Number.NaN : Number(match[1]) * (unitMs[match[2] ?? 's'] ?? Number.NaN)
  // the precision takes what the multiplication added: 0.07h is 252000 ms, not one more
  return milliseconds > 0 ? Math.ceil(Number(milliseconds.toPrecision(12))) : undefined
}
