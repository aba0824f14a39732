import { RefusedError } from '../errors/fed-error.ts'
import type { TeamRegistry } from '../records/registry/team-registry.ts'

/**
 * A name may be given again: what an agent of the team before left running does not act for the new one.
 * @param since when the team was onboarded for which somebody works.
 * @throws {RefusedError}
 */
export function assertSameTeam(registry: TeamRegistry, team: string, since: string): void {
  const entry = registry.read().teams.find(({ domainId }) => domainId === team)
  if (entry === undefined || entry.onboardedAt === since) return
  throw new RefusedError(
    `this process works for the team '${team}' that was onboarded at ${since} and is not there any more; ` +
      `the team of that name was onboarded at ${entry.onboardedAt}`,
  )
}
