import path from 'node:path'
import { TeamExistsError } from '../errors.ts'
import { federationLayout } from '../protocol/layout.ts'
import { claim } from '../storage/claim.ts'

/** Time that somebody else has to make a team of a name, or to take one apart, in milliseconds. */
const othersMs = 30_000
const pollMs = 20

/**
 * Does what one process at a time may do with a team's name: make its workspace, or take it apart.
 * @throws {TeamExistsError} when somebody else takes too long.
 */
export function holdingName<Result>(root: string, team: string, act: () => Result): Result {
  const release = claimed(federationLayout(root).teams, team)
  try {
    return act()
  } finally {
    release()
  }
}

function claimed(teams: string, team: string): () => void {
  const began = performance.now()
  for (;;) {
    const release = claim(teams, `.${team}.onboarding`, path.dirname(teams))
    if (release !== undefined) return release
    if (performance.now() - began > othersMs)
      throw new TeamExistsError(
        `somebody else is making team '${team}', or taking one of that name apart; 'fed status ${team}' shows it when it is there`,
      )
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
  }
}
