import { Random } from '../simulation/random.ts'
import type { Point } from './counted-process.ts'
import type { Scenario } from './scenario.ts'

/** Chosen by the time, so that all points have their turn in the course of some runs; `FED_SEED` repeats one. */
export const seed = Number(process.env.FED_SEED ?? Date.now() % 1_000_000_000)

/** Some scenarios, and for each a choice among its points that is another with another seed. */
export function sample(
  scenarios: readonly Scenario[],
  count: { readonly scenarios: number; readonly points: number },
): { readonly scenario: Scenario; readonly choose: (points: Point[]) => Point[] }[] {
  const random = new Random(seed)
  return shuffled(scenarios, random)
    .slice(0, count.scenarios)
    .map((scenario) => {
      // of its own, so that what one scenario draws does not depend on how many calls another makes
      const own = new Random(seed + scenarios.indexOf(scenario) + 1)
      return { scenario, choose: (points) => shuffled(points, own).slice(0, count.points) }
    })
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
