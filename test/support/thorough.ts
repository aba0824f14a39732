import { Random } from '../simulation/random.ts'

/** `npm run test:thorough` tries everything where `npm test` tries a part, another one in each run. */
const isThorough = process.env.FED_THOROUGH === '1'
/** Chosen by the time, so that all cases have their turn in the course of some runs; `FED_SEED` repeats one. */
const seed = Number(process.env.FED_SEED ?? Date.now() % 1_000_000_000)

/** How often something is tried. */
export function tries(thorough: number): number {
  return isThorough ? thorough : Math.ceil(thorough / 4)
}

/** From where, and in which steps, one call after the other is disturbed. */
export function everyCall(stride: number): { readonly first: number; readonly stride: number } {
  return isThorough ? { first: 1, stride: 1 } : { first: 1 + (seed % stride), stride }
}

/** So many of the cases of a table in which each costs some processes; those left out have their turn in other runs. */
export function someOf<Case>(cases: readonly Case[], count: number): Case[] {
  if (isThorough || cases.length <= count) return [...cases]
  const random = new Random(seed)
  return cases
    .map((one) => ({ one, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ one }) => one)
}
