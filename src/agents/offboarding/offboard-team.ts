import { FedError, NotDoneError, RefusedError } from '../../errors/fed-error.ts'
import { isGone } from '../../engine/step/present.ts'
import { tellAskers } from '../../engine/step/tell-askers.ts'
import type { Federation } from '../../federation/federation.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { now } from '../../protocol/time.ts'
import { initialStatus, moveStatus } from '../../records/registry/move-status.ts'
import { assertIdle } from '../sessions/launchable.ts'
import { homeOf, keepPrivate, removePrivate } from '../sessions/private-repository.ts'
import { disk } from '../../platform/storage/disk.ts'
import { removePrivateHome } from '../../platform/confinement/private-home.ts'
import { holdingName } from '../../federation/onboarding/name-claim.ts'
import {
  isPutAway,
  lastFormer,
  noteOffboarding,
  notePutAway,
  offboardingBefore,
  type FormerTeam,
} from '../../federation/former-teams.ts'
import { isInItsPlace, workspaceFor } from '../../federation/place-of-team.ts'
import type { Team } from '../../federation/team.ts'
import { branchOf, tipOf, worktreeAt } from '../../platform/git/worktree.ts'
import { assertRemovable, takeApartDirectory, takeApartWorktree } from './remove-workspace.ts'
import { rescuedOf, type Rescued } from '../../platform/git/rescue.ts'

/** Where the things are that a team left when it was taken out of its federation. */
export interface Offboarded {
  readonly team: string
  /** When the team was taken out, ISO 8601. */
  readonly at: string
  /** Folder with what the team left, laid out as its workspace; not there if that had been removed. */
  readonly archive: string
  /** Work that is on no branch any more, each with its ref. */
  readonly rescued: readonly Rescued[]
  /** The team's branch, where it stays because it is checked out elsewhere. */
  readonly branch?: string
}

/**
 * Takes a team out of the federation: its entry leaves the registry, what it left goes to
 * `.fed/archive/<id>/`, and its worktree is removed; work that is on no branch is kept under
 * `refs/fed/rescue/<id>/<n>`. After a kill at any point, another call finishes; after it is done, another
 * call returns the same result.
 * @throws {TeamNotFoundError}; {RefusedError} while the team has not finished and is not archived, while a
 * session of it runs, or when its worktree cannot be removed without a loss: then nothing was taken apart.
 */
export async function offboard(federation: Federation, id: string): Promise<Offboarded> {
  const offboarded = await takeOut(federation, id)
  federation.forget(id)
  return offboarded
}

async function takeOut(federation: Federation, id: string): Promise<Offboarded> {
  const { root, registry } = federation
  const find = () => registry.read().teams.find(({ domainId }) => domainId === id)
  const isUnderWay = () => find() === undefined && lastFormer(root, id) !== undefined
  if (isUnderWay()) return finish(federation, id)
  const entry = registry.entry(id)
  try {
    await makeReady(federation, entry)
  } catch (error) {
    // another process that offboards the team was faster, and took the workspace away
    if (isUnderWay()) return finish(federation, id)
    throw error
  }
  noteOffboarding(root, now(), find() ?? entry)
  unregister(federation, entry)
  return finish(federation, id)
}

/** Makes the checks that can refuse, and archives the team, before anything is taken apart. */
async function makeReady(federation: Federation, entry: RegistryEntry): Promise<void> {
  const { root } = federation
  const { domainId: id, location, placementType, onboardedAt: since } = entry
  const workspace = workspaceFor(root, placementType, id)
  if (!isInItsPlace(root, entry)) {
    throw new RefusedError(
      `the registry says that ${id} lives in ${location}, and not in ${workspace}, where fed put it; 'fed doctor' says more`,
    )
  }
  // whoever removed the folder by hand wants the rest to go as well
  if (!disk.exists(workspace)) return keepPrivate({ root, team: id, since, workspace })
  const team = await federation.openEntry(entry)
  // whoever removed its life (git clean -x does) left nothing to step or to pause
  const isLifeless = isGone(team.actor)
  if (!isLifeless) {
    await team.step()
    assertPutAway(team, entry)
  }
  const known = placementType === 'worktree' ? worktreeAt(root, workspace) : undefined
  if (known !== undefined) assertRemovable(root, id, workspace, known)
  // while a session ends, a team that has finished is not archived either
  await assertIdle(team)
  if (federation.registry.entry(id).status !== 'archived') {
    if (isLifeless) archiveEntry(federation, id)
    else await team.archive()
  } else if (!isLifeless) await tellAskers(team.actor)
  // archived, it is not launched any more
  await assertIdle(team)
  await keepPrivate({ root, team: id, since, workspace })
}

function archiveEntry({ registry }: Federation, id: string): void {
  registry.updateEntry(id, (entry) => {
    const status = entry.status ?? initialStatus()
    return { ...entry, status: moveStatus(status, { type: 'archive', lifecycle: 'finished' }) }
  })
}

function assertPutAway(team: Team, { status }: RegistryEntry): void {
  const { finished, state } = team.present()
  if (finished || status === 'archived') return
  const { id } = team
  throw new RefusedError(
    `${id} is ${state}; 'fed archive ${id}' stops it and puts it away, and then 'fed offboard ${id}' takes it out of the federation`,
  )
}

function unregister({ registry }: Federation, { domainId: id, onboardedAt }: RegistryEntry): void {
  registry.update((draft) => {
    const entry = draft.teams.find(({ domainId }) => domainId === id)
    if (entry === undefined) return draft
    if (entry.onboardedAt !== onboardedAt)
      throw new RefusedError(`${id} was offboarded by somebody else, and is a new team by now: it stays`)
    if (entry.status !== 'archived' && disk.exists(entry.location))
      throw new RefusedError(`${id} was restored meanwhile; 'fed archive ${id}' puts it away again`)
    return { ...draft, teams: draft.teams.filter(({ domainId }) => domainId !== id) }
  })
}

/** What was rescued of this team, without that of earlier teams with the same name. */
function rescuesOf(root: string, former: FormerTeam): Rescued[] {
  const before = offboardingBefore(root, former)?.lastRescue ?? 0
  return rescuedOf(root, former.offboarding.entry.domainId).filter((one) => numberOf(one) > before)
}

function numberOf({ ref }: Rescued): number {
  return Number(ref.split('/').at(-1))
}

/** Puts away what the team left, unless that is done already, and returns where it is. */
function finish(federation: Federation, id: string): Offboarded {
  const { root, registry } = federation
  const former = holdingName(root, id, () => {
    const last = lastFormer(root, id)
    if (last === undefined) throw new RefusedError(`somebody removed the archive of ${id} meanwhile`)
    // a new team of that name may be there, or begin to be
    const isOver = isPutAway(last) || registry.read().teams.some(({ domainId }) => domainId === id)
    return isOver ? last : takeApart(federation, last)
  })
  const { at, entry } = former.offboarding
  const branch = branchOf(id)
  return {
    team: id,
    at,
    archive: former.archive,
    rescued: rescuesOf(root, former),
    ...(entry.placementType === 'worktree' && tipOf(root, branch) !== undefined ? { branch } : {}),
  }
}

function takeApart({ root, config }: Federation, former: FormerTeam): FormerTeam {
  const { domainId: id, placementType, onboardedAt } = former.offboarding.entry
  const workspace = workspaceFor(root, placementType, id)
  try {
    if (placementType === 'directory') takeApartDirectory(workspace, former.archive)
    else takeApartWorktree(root, id, workspace, { archive: former.archive, deliverable: config.deliverable })
    const whose = { root, team: id, since: onboardedAt }
    removePrivateHome(homeOf(whose))
    removePrivate(whose)
    return notePutAway(root, former, Math.max(0, ...rescuedOf(root, id).map(numberOf)))
  } catch (error) {
    const words = `${id} is not registered any more, but its workspace is not put away yet ('fed offboard ${id}' goes on)`
    throw error instanceof FedError
      ? new FedError(`${words}: ${error.message}`, { cause: error })
      : new NotDoneError(words, error)
  }
}
