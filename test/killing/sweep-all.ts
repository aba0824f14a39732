import type { Point } from './counted-process.ts'
import { killed, killedInGit, stopped } from './scenarios/all.ts'
import { sweep, type Way } from './sweep.ts'

/** Runs at a time: each is a process that waits for others most of the time. */
const stands = 2

// what the scenarios prepare needs no waiting for the disk; the processes under test are told nothing of this
process.env.FED_DURABILITY = 'process'
// Node 20 reads these certificates at each start, and nothing here leaves this machine
delete process.env.NODE_EXTRA_CA_CERTS

/**
 * Plays the points of each scenario whose way and name hold `filter`; returns the exit code.
 * @param stride 1 for every point, n for each n-th.
 */
export async function sweepAll(filter: string, stride: number): Promise<number> {
  const choose = (points: Point[]) => points.filter((_, index) => index % stride === 0)
  const tally = { passed: 0, failed: 0 }
  const plays = (
    [
      ['killed', killed],
      ['killed in git', killedInGit],
      ['stopped', stopped],
    ] as const
  ).flatMap(([way, scenarios]) =>
    scenarios.map((scenario): [Way, (typeof scenarios)[number]] => [way, scenario]),
  )
  for (const [way, scenario] of plays) {
    if (!`${way} ${scenario.name}`.includes(filter)) continue
    const began = Date.now()
    const { calls, played, missed, faults } = await sweep(scenario, way, choose, stands)
    const seconds = ((Date.now() - began) / 1000).toFixed(0)
    const verdict = faults.length === 0 ? 'all invariants hold' : `${faults.length} broken promises`
    const rest = missed === 0 ? '' : `, ${missed} not reached`
    console.log(
      `${scenario.name}: ${calls} points, ${way} before and after each (${played} runs${rest}, ${seconds} s): ${verdict}`,
    )
    for (const fault of faults) console.log(`  ${fault}`)
    tally[faults.length === 0 ? 'passed' : 'failed'] += 1
  }
  console.log(`${tally.passed} passed, ${tally.failed} failed`)
  return tally.failed === 0 && tally.passed > 0 ? 0 : 1
}
