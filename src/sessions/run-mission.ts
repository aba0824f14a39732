import { Federation } from '../federation.ts'
import { FederationNotFoundError, UsageError } from '../errors.ts'
import { archetypeOf } from '../teams/archetypes.ts'
import { initialize } from '../teams/init.ts'
import { assertMission, beginMission } from '../teams/mission.ts'
import { findRoot } from '../teams/root.ts'
import type { Team } from '../teams/team.ts'

export interface MissionRequest {
  readonly dir: string
  readonly mission: string
  readonly archetype: string
  readonly team?: string
}

/**
 * Everything that comes before a launch: sets up what is missing, creates the team, gives it the mission.
 * @throws {NotARepositoryError | UsageError | InvalidNameError | RefusedError}
 */
export async function runMission({
  dir,
  mission,
  archetype,
  team,
}: MissionRequest): Promise<{ team: Team; begun: 'begun' | 'continued' }> {
  const text = assertMission(mission)
  const { defaultTeam } = archetypeOf(archetype)
  const id = team ?? defaultTeam
  const federation = new Federation(rootFor(dir))
  const entry = federation.registry.read().teams.find(({ domainId }) => domainId === id)
  if (entry !== undefined && team === undefined && entry.archetypeId !== archetype) {
    throw new UsageError(`team '${id}' is a ${entry.archetypeId} team; name another with --team`)
  }
  const opened =
    entry === undefined ? await federation.onboard({ domain: id, archetype }) : await federation.team(id)
  return { team: opened, begun: await beginMission(opened, text) }
}

function rootFor(dir: string): string {
  try {
    return findRoot(dir).root
  } catch (error) {
    if (!(error instanceof FederationNotFoundError)) throw error
    return initialize(dir).root
  }
}
