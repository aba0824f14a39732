import type { Point } from './counted-process.ts'
import { amongCalls, playKilled, playUndisturbed, type Begin } from './kill-point.ts'
import { insideOfGit } from './kill-in-git.ts'
import type { Scenario } from './scenario.ts'
import { Stand } from './stand.ts'
import { playStopped } from './stop-point.ts'

export type Way = 'killed' | 'killed in git' | 'stopped'

interface Play {
  readonly begin: Begin
  at(stand: Stand, point: Point): Promise<string[] | undefined>
}

const plays: Record<Way, Play> = {
  killed: { begin: amongCalls, at: playKilled },
  'killed in git': { begin: insideOfGit, at: (stand, point) => playKilled(stand, point, insideOfGit) },
  stopped: { begin: amongCalls, at: playStopped },
}

/** What came of some points of a scenario. */
export interface Result {
  readonly scenario: string
  /** How many calls the scenario makes. */
  readonly calls: number
  readonly played: number
  /** Points that the process did not come to: it made fewer calls than before. */
  readonly missed: number
  readonly faults: readonly string[]
}

/** Every point of so many calls: before and after each. */
export function everyPoint(calls: number): Point[] {
  return Array.from({ length: calls }, (_, index) => index + 1).flatMap((number): Point[] => [
    { number, moment: 'before' },
    { number, moment: 'after' },
  ])
}

/**
 * Plays a scenario undisturbed and then once for each point that `choose` takes, some at a time.
 * @param stands how many runs go on side by side.
 */
export async function sweep(
  scenario: Scenario,
  way: Way,
  choose: (points: Point[]) => Point[],
  stands = 1,
): Promise<Result> {
  const first = await Stand.build(scenario)
  const built = [first]
  try {
    const { calls, faults } = await playUndisturbed(first, plays[way].begin)
    const all = faults.map((fault) => `undisturbed: ${fault}`)
    const points = choose(everyPoint(calls.length))
    const counts = { played: 0, missed: 0 }
    const work = async (stand: Stand) => {
      for (let point = points.pop(); point !== undefined; point = points.pop()) {
        const found = await plays[way].at(stand, point)
        counts[found === undefined ? 'missed' : 'played'] += 1
        all.push(...(found ?? []))
      }
    }
    while (built.length < Math.min(stands, points.length)) built.push(await Stand.build(scenario))
    await Promise.all(built.map(work))
    return { scenario: scenario.name, calls: calls.length, ...counts, faults: all }
  } finally {
    for (const stand of built) stand.remove()
  }
}
