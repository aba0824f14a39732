import { isDeepStrictEqual } from 'node:util'
import { FedError, RefusedError } from '../../errors/fed-error.ts'
import { endAbandoned, graceMs, signalGroup } from '../../platform/process/process-group.ts'
import { identify, isRunning, type ProcessIdentity } from '../../platform/process/process-identity.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { now } from '../../protocol/time.ts'
import { AGENT_REFUSES } from './agent-command.ts'
import {
  lastSession,
  listSessions,
  mayGoOn,
  recordEnd,
  recordLeft,
  type Session,
  type SessionEnd,
} from './session-record.ts'

/** Where a team's sessions are. */
export interface SessionFolders {
  readonly workspace: string
  /** Folder of the team's session records. */
  readonly dir: string
  /** Folder of the session records of the mission before this one. */
  readonly earlierDir: string
}

/** The refusal while a session of the team runs. */
export function alreadyRuns(session: Session | undefined): RefusedError {
  return new RefusedError(
    `a session of this team already runs (${session?.agent}, process ${session?.process.pid}, since ${session?.at}); ` +
      `its output is in ${session?.log}`,
  )
}

/** The refusal while another process is between two sessions of its launch for this team. */
function stays({ agent, launcher, number }: Session): RefusedError {
  return new RefusedError(
    `process ${launcher.pid} stays with this team: it waits, or is about to start ${agent} again after session ${number}`,
  )
}

/**
 * Notes that this process starts no more sessions for a team: another launcher may then begin, although this
 * process still runs, for other teams.
 * @param dir folder of the team's session records.
 */
export function leaveTeam(dir: string): void {
  try {
    const last = lastSession(dir)
    if (last?.end === undefined || !isDeepStrictEqual(last.launcher, identify(process.pid))) return
    recordLeft(dir, last)
  } catch (error) {
    // this changes nothing about how the launch went: other launchers are refused until this process ends
    if (!isSystemError(error) && !(error instanceof FedError)) throw error
  }
}

/**
 * Makes sure that no agent of the team runs: one whose launcher died is ended here.
 * @returns the team's last session, undefined before the first.
 * @throws {RefusedError} when a session runs, or when another launcher is between two sessions.
 */
export async function assertNoSession(
  { workspace, dir, earlierDir }: SessionFolders,
  self: ProcessIdentity | undefined = identify(process.pid),
): Promise<Session | undefined> {
  for (const session of unended(dir)) {
    await endOrphan(session, workspace)
    recordEnd(dir, session, { at: now(), exitCode: null, cause: 'lost' })
  }
  // one look decides, and a launcher that comes after it takes the number that follows from the same look
  const sessions = listSessions(dir)
  const running = sessions.find(({ end }) => end === undefined)
  if (running !== undefined) throw alreadyRuns(running)
  // a reset in the middle of a session put its record away, after the look at the folder where it was
  for (const session of unended(earlierDir)) {
    if (isRunning(session.process) || !isRunning(session.launcher)) await endOrphan(session, workspace)
  }
  const last = sessions.at(-1)
  const { cause, exitCode } = last?.end ?? {}
  const goesOn = startsAgain.has(cause) && exitCode !== AGENT_REFUSES
  if (
    last !== undefined &&
    goesOn &&
    mayGoOn(dir, last) &&
    !isDeepStrictEqual(last.launcher, self) &&
    isRunning(last.launcher)
  )
    throw stays(last)
  return last
}

/** Ends of sessions after which their launcher waits or begins the next one, while the team is at work. */
const startsAgain: ReadonlySet<SessionEnd['cause'] | undefined> = new Set([
  ...(['ended', 'unavailable', 'overflowed', 'capped'] as const),
])

function unended(dir: string): Session[] {
  return listSessions(dir).filter(({ end }) => end === undefined)
}

/**
 * Waits until the agent of a dead launcher is gone: its gate ends it, and after a while it is killed here.
 * @throws {RefusedError} when the launcher still runs.
 */
async function endOrphan(session: Session, workspace: string): Promise<void> {
  if (isRunning(session.launcher)) throw alreadyRuns(session)
  const deadline = performance.now() + 2 * graceMs
  while (isRunning(session.process)) {
    if (performance.now() > deadline) signalGroup(session.process.pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // a gate that was killed as well has ended nobody
  await endAbandoned(session.process.pid, `FED_WORKSPACE=${workspace}`)
}
