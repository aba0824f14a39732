import { TeamExistsError } from '../../errors/team-errors.ts'
import { claimOnboarding } from './onboarding-claim.ts'

/** How long to wait while another process makes or takes apart a team of the same id, in milliseconds. */
const othersMs = 30_000
const pollMs = 20

/**
 * Runs `act` while no other process makes or takes apart a team of this id; waits for others.
 * @param act gets the path of a staging folder, which is not there yet and is removed afterwards.
 * @throws {TeamExistsError} when another process takes longer than `othersMs`.
 */
export function holdingName<Result>(root: string, team: string, act: (staging: string) => Result): Result {
  const { staging, end } = claimed(root, team)
  try {
    return act(staging)
  } finally {
    end()
  }
}

function claimed(root: string, team: string): NonNullable<ReturnType<typeof claimOnboarding>> {
  const began = performance.now()
  for (;;) {
    const claim = claimOnboarding(root, team)
    if (claim !== undefined) return claim
    if (performance.now() - began > othersMs)
      throw new TeamExistsError(
        `somebody else is making team '${team}', or taking one of that name apart; 'fed status ${team}' shows it when it is there`,
      )
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
  }
}
