import { Random } from '../simulation/random.ts'
import { seed, shuffled } from '../support/thorough.ts'
import type { Point } from './counted-process.ts'
import type { Scenario } from './scenario.ts'

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
