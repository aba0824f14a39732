import { unless } from '../../errors/unless.ts'
import { Federation } from '../../federation/federation.ts'
import { UnfinishedError, UsageError } from '../../errors/fed-error.ts'
import { FederationNotFoundError, TeamExistsError } from '../../errors/team-errors.ts'
import { repositoryRoot } from '../../platform/git/git.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import { teamIdOf } from '../../protocol/team-id.ts'
import { builtIn, usualArchetype } from '../../federation/catalogue.ts'
import { initialize, setUp } from '../../federation/onboarding/set-up.ts'
import { assertMission, beginMission, textOf } from '../../federation/mission.ts'
import { federationOutside, findRoot } from '../../federation/root.ts'
import type { Team } from '../../federation/team.ts'
import { planLaunch, type LaunchChoice, type LaunchPlan } from './launch-plan.ts'
import { assertIdle } from './launchable.ts'
import { awaitEnd, isEndUntold } from './awaited-end.ts'

export interface MissionRequest {
  readonly dir: string
  readonly mission: string
  /**
   * Archetype of the team that is created, and that an existing team must have. Without it `deliverable`, or
   * any where `team` names an existing one.
   */
  readonly archetype?: string
  /** Name of the team; without it the archetype's default. */
  readonly team?: string
  /** How the mission is to be launched. */
  readonly launch: LaunchChoice
  /** Whether another mission that the team has under way is given up for this one. */
  readonly reset?: boolean
  /** Branch into which the team's work is to be merged. */
  readonly into?: string
  /** Whether the text is a mission although it almost is a control word such as `pause`. */
  readonly asMission?: boolean
}

export interface BegunMission {
  readonly team: Team
  readonly plan: LaunchPlan
  /** `ended`: this very mission ended before, and the run that waited for it could not say so. */
  readonly begun: 'begun' | 'continued' | 'ended'
  /** Root of the federation, if it was set up by this call. */
  readonly setUpIn?: string
  /** Root of another federation around the one that was set up. */
  readonly outer?: string | undefined
}

/**
 * Prepares `fed run`: sets up what is missing, creates the team, gives it the mission, and plans the launch.
 * Call `endIsTold` once the end of the mission was reported.
 * @throws {NotARepositoryError | UsageError | InvalidNameError | RefusedError}; {UnfinishedError} when the disk fails
 * once the mission is given
 */
export async function runMission({
  dir,
  mission,
  archetype,
  team,
  launch,
  reset = false,
  into,
  asMission = false,
}: MissionRequest): Promise<BegunMission> {
  const text = assertMission(mission, asMission)
  const root = unless(FederationNotFoundError, () => findRoot(dir).root)
  const found = root === undefined ? undefined : new Federation(root)
  const kindOf = async (kind: string) => (await found?.archetype(kind)) ?? builtIn.of(kind)
  const wanted = await kindOf(archetype ?? usualArchetype)
  const name = team ?? wanted.defaultTeam
  const id = teamIdOf(name)
  const entry = found?.registry.read().teams.find(({ domainId }) => domainId === id)
  const isFree = archetype === undefined && team !== undefined
  if (entry !== undefined && !isFree && entry.archetypeId !== wanted.id) {
    throw new UsageError(`team '${id}' is a ${entry.archetypeId} team; name another with --team`)
  }
  const kind = entry === undefined ? wanted : await kindOf(entry.archetypeId)
  const planned = {
    id,
    root: root ?? repositoryRoot(dir),
    agent: entry?.agent ?? found?.config.agentCommand ?? EMBEDDED_AGENT,
    lead: kind.leadAgent,
    agents: found?.config.agents ?? {},
    goal: [],
  }
  // before anything is set up, let alone reset, for an agent that is not there
  const plan = await planLaunch(planned, launch)
  const federation = setUpFor(dir, found)
  const opened =
    entry === undefined ? await create(federation, name, kind.id, into) : await federation.team(id)
  if (entry === undefined && opened.archetype.id !== kind.id)
    throw new UsageError(
      `team '${id}' was made meanwhile, as a ${opened.archetype.id} team; name another with --team`,
    )
  const { finished, context } = await opened.stepped()
  if (reset || finished) await assertIdle(opened)
  // a note that cannot be read is refused before the mission is given
  const isUntold = isEndUntold(opened)
  const fresh =
    root === undefined ? { setUpIn: federation.root, outer: federationOutside(federation.root) } : {}
  const isSame = context.mission !== null && textOf(context.mission) === text
  if (!reset && isSame && isUntold) return { team: opened, plan, begun: 'ended', ...fresh }
  const begun = await beginMission(opened, text, { giveUp: reset, into })
  noteAwaited(opened)
  return { team: opened, plan, begun, ...fresh }
}

/** @throws {UnfinishedError} when the disk fails: the team has its mission. */
function noteAwaited(team: Team): void {
  try {
    awaitEnd(team)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new UnfinishedError(
      `${team.id} has its mission`,
      `'fed launch --team ${team.id}' works on it`,
      error,
    )
  }
}

/** The federation, after what was missing is set up. */
function setUpFor(dir: string, found: Federation | undefined): Federation {
  if (found === undefined) return new Federation(initialize(dir).root)
  return setUp(found.root, found.registry) ? found : new Federation(found.root)
}

/** How long to wait for another process to register the team that it is creating, in milliseconds. */
const registrationMs = 15_000

async function create(
  federation: Federation,
  domain: string,
  archetype: string,
  into: string | undefined,
): Promise<Team> {
  try {
    return await federation.onboard({ domain, archetype, into })
  } catch (error) {
    if (!(error instanceof TeamExistsError)) throw error
    // somebody begins a mission of the same team at this very moment
    for (const deadline = performance.now() + registrationMs; performance.now() < deadline;) {
      const id = teamIdOf(domain)
      if (federation.mailboxOf(id) !== undefined) return federation.team(id)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw error
  }
}
