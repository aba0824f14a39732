// Proves that a process may be killed at any call by which it changes something: nothing is lost, torn or done
// twice, and the next process carries on. Each run takes a sample by its seed; `npm run test:kill` takes all points.
// It fails when a promise of `killing/invariants.ts` is broken, naming the call before or after which it was.
import { describe, expect, test } from 'vitest'
import { killed, killedInGit } from '../killing/scenarios/all.ts'
import { sample } from '../killing/sample.ts'
import { seed } from '../support/thorough.ts'
import { sweep } from '../killing/sweep.ts'

describe(`FED_SEED=${seed}`, () => {
  test.each(sample(killed, { scenarios: 5, points: 2 }))(
    'killed in the middle: $scenario.name',
    async ({ scenario, choose }) => {
      expect((await sweep(scenario, 'killed', choose)).faults).toEqual([])
    },
  )

  test.each(sample(killedInGit, { scenarios: 1, points: 3 }))(
    'killed with its git in the middle of that: $scenario.name',
    async ({ scenario, choose }) => {
      expect((await sweep(scenario, 'killed in git', choose)).faults).toEqual([])
    },
  )
})
