import { Federation } from '../federation.ts'
import { FederationNotFoundError, TeamExistsError, UsageError } from '../errors.ts'
import { assertTeamId } from '../protocol/team-id.ts'
import { archetypeOf } from '../teams/archetypes.ts'
import { initialize, setUp } from '../teams/init.ts'
import { assertMission, beginMission } from '../teams/mission.ts'
import { findRoot } from '../teams/root.ts'
import type { Team } from '../teams/team.ts'
import { resolveAgent } from './agent-command.ts'
import { assertIdle } from './launch.ts'

export interface MissionRequest {
  readonly dir: string
  readonly mission: string
  readonly archetype: string
  readonly team?: string
  readonly agent?: string
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
  agent,
}: MissionRequest): Promise<{ team: Team; begun: 'begun' | 'continued' }> {
  const text = assertMission(mission)
  const { defaultTeam } = archetypeOf(archetype)
  const id = assertTeamId(team ?? defaultTeam)
  // before anything is set up, let alone reset, for an agent that is not there
  if (agent !== undefined) resolveAgent(agent, '')
  const federation = new Federation(rootFor(dir))
  const entry = federation.registry.read().teams.find(({ domainId }) => domainId === id)
  if (entry !== undefined && team === undefined && entry.archetypeId !== archetype) {
    throw new UsageError(`team '${id}' is a ${entry.archetypeId} team; name another with --team`)
  }
  const opened = entry === undefined ? await create(federation, id, archetype) : await federation.team(id)
  if (opened.present().finished) await assertIdle(opened)
  return { team: opened, begun: await beginMission(opened, text) }
}

/** Time that another process has to register the team that it is creating, in milliseconds. */
const registrationMs = 2000

async function create(federation: Federation, domain: string, archetype: string): Promise<Team> {
  try {
    return await federation.onboard({ domain, archetype })
  } catch (error) {
    if (!(error instanceof TeamExistsError)) throw error
    // somebody begins a mission of the same team at this very moment
    for (const deadline = Date.now() + registrationMs; Date.now() < deadline;) {
      if (federation.mailboxOf(domain) !== undefined) return federation.team(domain)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw error
  }
}

function rootFor(dir: string): string {
  try {
    const { root } = findRoot(dir)
    setUp(root)
    return root
  } catch (error) {
    if (!(error instanceof FederationNotFoundError)) throw error
    return initialize(dir).root
  }
}
