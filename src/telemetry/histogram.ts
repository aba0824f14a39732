/** Upper bounds of the buckets in seconds: from an answer at once to a mission that takes a day. */
export const bounds: readonly number[] = [0.1, 1, 5, 15, 60, 180, 600, 1200, 3600, 14_400, 86_400]

/** Times in seconds as a file keeps them: their sum, and how many fell into each bucket. */
export interface Histogram {
  readonly sum: number
  /** Numbers with blanks between them, one more than there are bounds. */
  readonly counts: string
}

const none = Array<number>(bounds.length + 1).fill(0)

/** How many times fell into each bucket. */
export function countsOf({ counts }: Histogram): number[] {
  const numbers = counts.split(' ').map(Number)
  return none.map((zero, bucket) => numbers[bucket] ?? zero)
}

/** The histogram with one more time; a clock that was set back makes it 0. */
export function observed(histogram: Histogram | undefined, milliseconds: number): Histogram {
  const seconds = Math.max(0, milliseconds) / 1000
  const bucket = bounds.findIndex((bound) => seconds <= bound)
  const counts = histogram === undefined ? [...none] : countsOf(histogram)
  const place = bucket === -1 ? bounds.length : bucket
  counts[place] = (counts[place] ?? 0) + 1
  // whole microseconds, so that sums stay short
  const sum = Math.round(((histogram?.sum ?? 0) + seconds) * 1e6) / 1e6
  return { sum, counts: counts.join(' ') }
}
