// Proves that a process stopped at any call of a commit keeps nobody waiting, and, continued after others went on,
// overwrites nothing, sends nothing twice and takes no status back. Each run takes a sample by its seed;
// `npm run test:kill` takes all points. It fails when the others wait, or a promise is broken by whoever comes late.
import { describe, expect, test } from 'vitest'
import { stopped } from '../../killing/scenarios/all.ts'
import { sample } from '../../killing/sample.ts'
import { seed } from '../../support/thorough.ts'
import { sweep } from '../../killing/sweep.ts'

describe(`FED_SEED=${seed}`, () => {
  test.each(sample(stopped, { scenarios: 4, points: 2 }))(
    'stopped in the middle: $scenario.name',
    async ({ scenario, choose }) => {
      expect((await sweep(scenario, 'stopped', choose)).faults).toEqual([])
    },
  )
})
