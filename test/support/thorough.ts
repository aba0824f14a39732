import { Random } from '../simulation/random.ts'

/** `npm run test:thorough` tries everything where `npm test` tries a part, another one in each run. */
export const isThorough = process.env.FED_THOROUGH === '1'
/**
 * Chosen by the time, so that all cases have their turn in the course of some runs. The suite prints the one that
 * all its files share; `FED_SEED` repeats it.
 */
export const seed = Number(process.env.FED_SEED ?? Date.now() % 1_000_000_000)

/** How often something is tried, or how much of it there is. */
export function tries(thorough: number): number {
  return isThorough ? thorough : Math.ceil(thorough / 6)
}

/** From where, and in which steps, one call after the other is disturbed. */
export function everyCall(stride: number): { readonly first: number; readonly stride: number } {
  return isThorough ? { first: 1, stride: 1 } : { first: 1 + (seed % stride), stride }
}

/** So many of the numbers from 1 to `count`, spread evenly: always the first and the last. */
export function spreadOver(count: number, size: number): number[] {
  if (isThorough || count <= size) return Array.from({ length: count }, (_, index) => index + 1)
  const stride = count / (size - 2)
  const offset = (seed % 1000) / 1000
  const inner = Array.from({ length: size - 2 }, (_, index) => 1 + Math.floor((index + offset) * stride))
  return [...new Set([1, ...inner.filter((at) => at <= count), count])]
}

/** So many of the cases of a table in which each costs some processes; those left out have their turn in other runs. */
export function someOf<Case>(cases: readonly Case[], count: number): Case[] {
  if (isThorough || cases.length <= count) return [...cases]
  return shuffled(cases, new Random(seed)).slice(0, count)
}

/** One of the cases of each kind, where there are many of some; the others have their turn in other runs. */
export function oneOfEach<Case>(cases: readonly Case[], kindOf: (one: Case) => string): Case[] {
  if (isThorough) return [...cases]
  const chosen = new Map(shuffled(cases, new Random(seed)).map((one) => [kindOf(one), one]))
  return cases.filter((one) => chosen.get(kindOf(one)) === one)
}

export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
