import { RefusedError } from '../errors/fed-error.ts'
import type { TeamRegistry } from '../records/registry/team-registry.ts'

/**
 * Checks that the team of this name is still the one for which this process works: what an agent of an
 * earlier team left running must not act for the new one.
 * @param since when the team for which this process works was onboarded.
 * @throws {RefusedError} when it is another team. A name that no team has passes.
 */
export function assertSameTeam(registry: TeamRegistry, team: string, since: string): void {
  const entry = registry.read().teams.find(({ domainId }) => domainId === team)
  if (entry === undefined || entry.onboardedAt === since) return
  throw new RefusedError(
    `this process works for the team '${team}' that was onboarded at ${since} and is not there any more; ` +
      `the team of that name was onboarded at ${entry.onboardedAt}`,
  )
}
