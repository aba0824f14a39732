const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Timers hold no more: 24 days, in milliseconds. */
export const longestMs = 24 * 24 * 3_600_000

/**
 * Reads `500ms`, `30s`, `10m` or `2h` into whole milliseconds, rounded up; a bare number is seconds.
 * @returns undefined for what is none of these, or not more than nothing.
 */
export function readDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim())
  const milliseconds =
    match === null ? Number.NaN : Number(match[1]) * (unitMs[match[2] ?? 's'] ?? Number.NaN)
  // the precision takes what the multiplication added: 0.07h is 252000 ms, not one more
  return milliseconds > 0 ? Math.ceil(Number(milliseconds.toPrecision(12))) : undefined
}

/** A time that passed, for people: `45 s`, `25 min`, `3 h` or `2 d`. */
export function ageInWords(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 1) return `${Math.max(0, Math.floor(milliseconds / 1000))} s`
  if (minutes < 120) return `${minutes} min`
  return minutes < 2 * 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`
}
