// How a row is measured: ours and its rival in turn, round after round, so that a machine whose speed drifts
// slows both; the result is the median of the rounds' ratios, with the quartiles beside it.
import { Skipped } from './rivals.mjs'

/** Milliseconds on a clock that all processes of a machine share. */
export function clock() {
  return Number(process.hrtime.bigint()) / 1e6
}

export async function timed(work) {
  const begun = clock()
  await work()
  return clock() - begun
}

export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

export function median(values) {
  return quantile(values, 0.5)
}

/**
 * Runs `ours` and `rival` in turn and whoever begins changes; each is given the round's number and returns
 * milliseconds. The first round only warms up.
 */
export async function inTurn(rounds, ours, rival) {
  const pairs = []
  for (let round = 0; round <= rounds; round += 1) {
    const first = round % 2 === 0
    const before = first ? await ours(round) : await rival(round)
    const after = first ? await rival(round) : await ours(round)
    if (round > 0 || rounds === 0) pairs.push(first ? [before, after] : [after, before])
  }
  return pairs
}

/** A row of the table from pairs of times of ours and of the rival. `sense` says which way is better. */
export function compared(row, pairs, { describe }) {
  const ratios = pairs.map(([ours, rival]) => (row.sense === 'at least' ? rival / ours : ours / rival))
  return {
    unit: '×',
    ...row,
    ours: describe(median(pairs.map(([ours]) => ours))),
    rival: `${row.rival} ${describe(median(pairs.map(([, rival]) => rival)))}`,
    value: median(ratios),
    low: quantile(ratios, 0.25),
    high: quantile(ratios, 0.75),
  }
}

/**
 * One row for each rival, ours against it; `prepare` gets the rival ready and returns what measures it. A rival
 * that is not here is a row that says so.
 */
export async function comparedWithEach(row, rivals, { rounds, ours, describe }) {
  const outcomes = []
  for (const { prepare, ...goal } of rivals) {
    try {
      outcomes.push(compared({ ...row, ...goal }, await inTurn(rounds, ours, await prepare()), { describe }))
    } catch (error) {
      if (!(error instanceof Skipped)) throw error
      outcomes.push({ path: row.path, skipped: error.message })
    }
  }
  return outcomes
}

/** Words for a time in milliseconds of so many operations. */
export function each(count) {
  return (ms) => inWords(ms / count)
}

export function inWords(ms) {
  if (ms < 0.1) return `${(ms * 1000).toFixed(1)} µs`
  if (ms < 1) return `${(ms * 1000).toFixed(0)} µs`
  return ms < 100 ? `${ms.toFixed(2)} ms` : `${ms.toFixed(0)} ms`
}
