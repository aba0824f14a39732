// Proves that commits are neither lost nor doubled however processes are interleaved, stopped and killed;
// fails when a rule of the algorithm is missing, which the second half shows for each rule.
import { describe, expect, test } from 'vitest'
import { CorruptDocumentError } from '../../src/errors/document-errors.ts'
import { Violation } from '../simulation/history.ts'
import { allRules, leftOut, type Rules } from '../simulation/rules.ts'
import { Simulation } from '../simulation/simulation.ts'
import { seed, tries } from '../support/thorough.ts'

/** Near this seed even the rarest of the violations shows soon. */
const firstOfRareSeeds = 7490

/** Runs simulations of rising seeds until there were that many commits; a failure names its seed. */
function simulate(commits: number, first: number, rules: Rules): number {
  let done = 0
  for (let run = first; done < commits; run += 1) {
    try {
      done += new Simulation(run, rules).run()
    } catch (error) {
      if (!(error instanceof Violation || error instanceof CorruptDocumentError)) throw error
      throw new Violation(`FED_SEED=${run}: ${error.message}`, { cause: error })
    }
  }
  return done
}

describe(`FED_SEED=${seed}`, () => {
  test('every commit of processes that are stopped and killed anywhere is counted exactly once', () => {
    const commits = tries(120_000)
    expect(simulate(commits, seed, allRules)).toBeGreaterThanOrEqual(commits)
  })

  test.each([...leftOut])('the simulation notices when this rule is left out: %s', (_, rules) => {
    expect(() => simulate(200_000, firstOfRareSeeds, rules)).toThrow(Violation)
  })
})
