import path from 'node:path'
import { differences, fingerprint, patchBetween, type Fingerprint } from '../../platform/git/fingerprint.ts'
import {
  forget,
  hasClaimed,
  isRemembered,
  memoryFolder,
  remember,
  remembered,
  storeOf,
} from '../../engine/step/session-memory.ts'
import { inPlace, notOwn, watchedPlaces, type WatchedPlace } from '../../engine/step/watched-places.ts'
import { GitError } from '../../errors/git-errors.ts'
import { identify } from '../../platform/process/process-identity.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { disk } from '../../platform/storage/disk.ts'
import type { Team } from '../../federation/team.ts'
import { answerChange, type CodebaseChange, type Found } from './codebase-change.ts'
import { changesFile, readSession, type Session, type SessionRecord } from './session-record.ts'
import { readReports, type Reported } from './session-reports.ts'

/**
 * Compares the codebase with what it was before the session, once; undefined when nothing changed.
 * @param wrote what the agent's own tool calls wrote.
 */
export type CodebaseWatch = (wrote: Reported['wrote']) => Promise<CodebaseChange | undefined>

/** A watched place with its fingerprint from before the session. */
interface Before {
  readonly place: WatchedPlace
  readonly fingerprint: Fingerprint
  /** Whether walls kept the agent from writing the place. */
  readonly isConfined: boolean
}

/** What is needed to look at the codebase after a session. */
interface Look {
  /** Folder with what the session remembers of the codebase. */
  readonly folder: string
  readonly before: readonly Before[]
  /** Folder of the session's records. */
  readonly sessions: string
  readonly wrote: Reported['wrote']
  /** Whether the memory file is still as it was written. Missing after a launcher that was killed. */
  readonly isMemoryWhole?: () => boolean
}

/**
 * Takes fingerprints of the codebase, and of the team's worktree if it has one, before an agent that only
 * reads starts. The returned function compares when the agent is gone, and reacts to a change as
 * `answerChange` does; it undoes nothing.
 * @throws {FedError} when git cannot look.
 */
export function watchCodebase(team: Team, session: SessionRecord): CodebaseWatch {
  const { sessions } = workspaceLayout(team.actor.workspace)
  const folder = memoryFolder(team.actor.workspace, `${session.mission}-${session.number}`)
  forget(folder)
  const before = placesOf(team).map((place): Before => {
    const isConfined = session.open === null && place.name === 'codebase'
    return { place, fingerprint: fingerprint(storeOf(folder, place)), isConfined }
  })
  const found = (name: WatchedPlace['name']) => before.find(({ place }) => place.name === name)
  const [codebase, worktree] = [found('codebase'), found('worktree')]
  // read by other processes: when they check a report meanwhile, and after a launcher that was killed
  const memory = remember(folder, {
    codebase: codebase === undefined || codebase.isConfined ? 'confined' : codebase.fingerprint,
    ...(worktree !== undefined && { worktree: worktree.fingerprint }),
  })
  const isMemoryWhole = () => isRemembered(folder, memory)
  return (wrote) => lookAgain(team, session, { folder, before, sessions, wrote, isMemoryWhole })
}

function placesOf({ actor: { workspace, world } }: Team): WatchedPlace[] {
  return watchedPlaces({ root: world.root, workspace, deliverable: world.config.deliverable })
}

async function lookAgain(
  team: Team,
  session: SessionRecord,
  { folder, before, sessions, wrote, isMemoryWhole }: Look,
): Promise<CodebaseChange | undefined> {
  const patch = changesFile(sessions, session)
  try {
    const isWhole = isMemoryWhole?.() ?? true
    const looks = before.map((one) => changesSince(folder, one))
    const found = [...looks.flatMap(({ changes }) => changes), ...(isWhole ? [] : [memoryChanged])]
    if (found.length === 0) return undefined
    const header = found.map(({ line }) => `# ${line}\n`).join('')
    const patches = looks.flatMap((one) => one.patch() ?? [])
    if (!disk.exists(patch)) disk.create(patch, `${header}${patches.join('\n')}\n`)
    return await answerChange(team, session, { found, patch }, wrote)
  } finally {
    forget(folder)
  }
}

/** The finding when the session's memory was changed or removed: agents can write in its folder. */
const memoryChanged: Found = { line: 'what fed remembers of it, in .fed/codebase', isConfined: false }

/** The changes in one place, and a function that makes their patch, undefined where there is none. */
function changesSince(
  folder: string,
  { place, fingerprint: before, isConfined }: Before,
): { readonly changes: readonly Found[]; readonly patch: () => string | undefined } {
  const store = storeOf(folder, place)
  const after = fingerprint(store)
  try {
    const changes = notOwn(differences(store, before, after), place.own).map(({ line, file }): Found => {
      const words = { line: inPlace(place, line), isConfined }
      return file === undefined ? words : { ...words, file: path.join(place.root, file) }
    })
    return { changes, patch: () => (changes.length === 0 ? undefined : patchBetween(store, before, after)) }
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    // what git remembered was removed, so that nothing can be compared file by file
    const line = inPlace(place, 'its files, and what git remembered of them is gone')
    return { changes: [{ line, isConfined }], patch: () => undefined }
  }
}

/**
 * Looks at the codebase after a session whose launcher was killed, because its agent may have written. Each
 * such session is looked at once.
 * @returns the first such session with a change, and the change; undefined where nothing changed.
 * @throws {FedError} when git cannot look.
 */
export async function lookAfterLost(
  team: Team,
): Promise<{ readonly session: Session; readonly change: CodebaseChange } | undefined> {
  const { codebase, missions, sessions } = workspaceLayout(team.actor.workspace)
  for (const name of disk.list(codebase)) {
    const [, mission, number, claimant] = /^(\d+)-(\d+)(?:\.(\d+))?$/.exec(name) ?? []
    // another process that still runs has claimed the look
    if (mission === undefined || (claimant !== undefined && identify(Number(claimant)) !== undefined))
      continue
    const numbers = { mission: Number(mission), number: Number(number) }
    const dirs = [sessions, path.join(missions, mission, 'sessions')]
    const dir = dirs.find((one) => readSession([one], numbers) !== undefined)
    const session = dir === undefined ? undefined : readSession(dirs, numbers)
    // the launcher of a session that still runs looks itself
    if (dir === undefined || session?.end === undefined) continue
    const folder = path.join(codebase, `${mission}-${number}.${process.pid}`)
    if (!hasClaimed(path.join(codebase, name), folder)) continue
    const change = await lookBack(team, session, folder, dir)
    if (change !== undefined) return { session, change }
  }
  return undefined
}

async function lookBack(
  team: Team,
  session: Session,
  folder: string,
  sessions: string,
): Promise<CodebaseChange | undefined> {
  const memory = remembered(folder)
  // what was read-only for the agent was changed by somebody else, or after it
  const before = placesOf(team).flatMap((place): Before[] => {
    const was = memory?.[place.name]
    return was === undefined || was === 'confined' ? [] : [{ place, fingerprint: was, isConfined: false }]
  })
  const { wrote } = readReports(sessions, session)
  return lookAgain(team, session, { folder, before, sessions, wrote })
}
