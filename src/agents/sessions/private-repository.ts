import path from 'node:path'
import type { CodingContext } from '../../../machines/coding.ts'
import { FedError, RefusedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { ConfinementError } from '../../errors/session-errors.ts'
import { standHere } from '../../platform/confinement/bubblewrap.ts'
import { real } from '../../platform/confinement/walls.ts'
import { git, gitOrNothing } from '../../platform/git/git.ts'
import { commitsOf, repositoryOf } from '../../platform/git/worktree.ts'
import type { Inside } from '../../platform/private-git/inside.ts'
import { privateObstacle } from '../../platform/private-git/unfit-repository.ts'
import { keepOrPutAside, keepRest } from '../../platform/private-git/keep-rest.ts'
import {
  makePrivatePlace,
  missionOf,
  privatePlace,
  removePrivatePlace,
} from '../../platform/private-git/place.ts'
import { prepare } from '../../platform/private-git/prepare.ts'
import { realRepository, takenRef } from '../../platform/private-git/real-repository.ts'
import { takeOver } from '../../platform/private-git/commit-takeover.ts'
import type { Team } from '../../federation/team.ts'
import { beginningOf } from './begin-branch.ts'

/** Whose repository or home it is. */
export interface Whose {
  readonly root: string
  readonly team: string
  /** When the team was onboarded, ISO 8601. */
  readonly since: string
}

/** Words by which what is a team's own within walls is told from every other's. */
export function homeOf({ root, team, since }: Whose): string[] {
  return [real(root) ?? root, team, since]
}

/**
 * Refuses a launch within walls where commits would not come out as they would without.
 * @throws {ConfinementError}
 */
export function assertPrivate(root: string): void {
  const obstacle = privateObstacle(root)
  if (obstacle !== undefined) throw new ConfinementError(obstacle, `--confinement off works without`)
}

/**
 * The private repository of a team that commits in a worktree, with what it stands for; its place is made.
 * @returns undefined where the workspace is no worktree of the root's repository.
 */
export function privateRepositoryOf(
  whose: Whose & { readonly workspace: string },
): Omit<Inside, 'walls'> | undefined {
  const found = realRepository(whose.root, whose.workspace)
  if (found === undefined) return undefined
  const place = privatePlace(homeOf(whose))
  makePrivatePlace(place)
  return { real: found, place }
}

function insideOf(team: Team, walls: string): Inside | undefined {
  const { workspace, world } = team.actor
  const { onboardedAt: since, placementType } = world.registry.entry(team.id)
  if (placementType !== 'worktree') return undefined
  const found = privateRepositoryOf({ root: world.root, team: team.id, since, workspace })
  return found && { ...found, walls }
}

/**
 * The program by which a team's private repository is reached: the one that holds its session, or, for a session
 * without walls that comes after one within, whichever there is. Undefined where there is nothing to reach.
 */
export async function wallsFor(team: Team, held: string | undefined): Promise<string | undefined> {
  if (held !== undefined) return held
  const { root } = team.actor.world
  const { onboardedAt: since } = team.actor.world.registry.entry(team.id)
  return missionOf(privatePlace(homeOf({ root, team: team.id, since }))) !== undefined
    ? (await standHere()).file
    : undefined
}

/** How a session reaches its team's repository. */
interface Reach {
  readonly mission: number
  /** As `wallsFor` tells. */
  readonly walls: string | undefined
  /** Whether the session itself is held. */
  readonly isHeld: boolean
}

/**
 * Makes a team's private repository ready for a session that is its only one, where it has one, in two steps: what an
 * earlier session left is taken over before the branch begins its mission, and the rest follows what the branch is
 * then.
 * @returns the second step, which returns what was put aside, in words.
 */
export function readyPrivate(team: Team, { mission, walls, isHeld }: Reach): () => string[] {
  const one = walls === undefined ? undefined : insideOf(team, walls)
  if (one === undefined) return () => []
  // what cannot be taken over stays inside, or is kept by the second step
  if (missionOf(one.place) !== undefined)
    unless(RefusedError, () => takeOver(one, workOf(team), { isToBeThere: false }))
  if (isHeld) return () => prepare(one, team.id, `${mission}-${beginningOf(team.actor, mission) ?? ''}`)
  return () => {
    const aside = keepOrPutAside(one, team.id)
    removePrivatePlace(one.place)
    return aside === undefined ? [] : [aside]
  }
}

/** What has to hold of what is taken over. */
function workOf(team: Team) {
  const { root } = team.actor.world
  const { base } = team.present().context as Partial<CodingContext>
  const asked = base ? [base.start, `refs/heads/${base.target}`].filter((one) => one !== undefined) : []
  return { team: team.id, bases: commitsOf(root, asked).filter((one) => one !== undefined) }
}

/**
 * Takes over what a team's agent has committed within walls.
 * @param walls program that makes them.
 * @throws {RefusedError} why it was not, in words for the agent.
 */
export function takeOverFor(team: Team, walls: string, options?: { readonly isToBeThere: boolean }): void {
  const one = insideOf(team, walls)
  if (one !== undefined && missionOf(one.place) !== undefined) takeOver(one, workOf(team), options)
}

/** Takes over what a session that is over has left. @returns why it was not, which the next session may mend. */
export function lastTakeOver(team: Team, walls: string): string | undefined {
  try {
    takeOverFor(team, walls, { isToBeThere: false })
    return undefined
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    return error.message
  }
}

/**
 * Keeps what the private repository of a team that is offboarded holds and nothing else does, as rescued work.
 * @throws {RefusedError} where something of it cannot be kept.
 */
export async function keepPrivate(whose: Whose & { readonly workspace: string }): Promise<void> {
  const place = privatePlace(homeOf(whose))
  const { root, team, workspace } = whose
  if (missionOf(place) === undefined) return
  const stand = await standHere()
  // of a worktree that somebody removed and pruned by hand the private one still knows
  const gone = { root, workTree: workspace, common: repositoryOf(root), note: path.basename(workspace) }
  if (stand.file === undefined)
    throw new RefusedError(`what ${team} committed within walls cannot be had: ${stand.why}; ${stand.remedy}`)
  const troubles = keepRest({ real: realRepository(root, workspace) ?? gone, place, walls: stand.file }, team)
  if (troubles.length > 0) {
    throw new RefusedError(
      `${team} has commits that git does not take: ${troubles.join(', ')}; remove ${place.folder} to give them up`,
    )
  }
}

/** Removes what a team had of a private repository, where it had one. */
export function removePrivate(whose: Whose): void {
  const { root, team } = whose
  removePrivatePlace(privatePlace(homeOf(whose)))
  if (gitOrNothing(root, 'rev-parse', '--verify', '--quiet', takenRef(team)) !== undefined)
    git(root, 'update-ref', '-d', takenRef(team))
}
