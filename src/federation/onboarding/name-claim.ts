import { TeamExistsError } from '../../errors/team-errors.ts'
import { claimOnboarding } from './onboarding-claim.ts'

/** Time that somebody else has to make a team of a name, or to take one apart, in milliseconds. */
const othersMs = 30_000
const pollMs = 20

/**
 * Does what one process at a time may do with a team's name: make its workspace, or take it apart. Waits for others.
 * @param act gets a folder in which a workspace may be made aside; it goes afterwards.
 * @throws {TeamExistsError} when somebody else takes too long.
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
