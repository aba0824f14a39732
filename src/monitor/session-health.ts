import { statSync } from 'node:fs'
import { unless } from '../errors/unless.ts'
import { FedError } from '../errors/fed-error.ts'
import { isRunning } from '../platform/process/process-identity.ts'
import { workspaceLayout, type WorkspaceLayout } from '../protocol/folder-layout.ts'
import { AGENT_REFUSES } from '../agents/sessions/agent-command.ts'
import { launchAgain } from '../agents/sessions/launch-again.ts'
import { readSession, type Session } from '../agents/sessions/session-record.ts'
import type { Circumstances, HealthFinding } from './health-finding.ts'
import type { Facts } from './look-at-team.ts'
import { errorAnywhere, errorAtEnd, lastLine } from './session-log.ts'

/** A log that grew within so many milliseconds has not said its last word. */
const speakingMs = 60_000

function mtimeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** When a team or its agent did anything last, in milliseconds, and whether the agent runs. */
export function lastActivity(
  { atMs, session }: Facts,
  { learnings, testRuns }: WorkspaceLayout,
): { at: number; isRunning: boolean } {
  const times = [atMs, mtimeOf(learnings), mtimeOf(testRuns)]
  if (session === undefined || session instanceof FedError)
    return { at: Math.max(...times), isRunning: false }
  // what an agent prints is no progress: it may print for ever
  times.push(Date.parse(session.at))
  if (session.end !== undefined) times.push(Date.parse(session.end.at))
  return { at: Math.max(...times), isRunning: isAlive(session) }
}

/** Whether a session's end is recorded: nothing about it changes any more. */
export function isEnded(session: Session | FedError): boolean {
  return !(session instanceof FedError) && session.end !== undefined
}

/** Whether a session's agent runs. */
export function isAlive({ end, process }: Session): boolean {
  return end === undefined && isRunning(process)
}

/**
 * What is not healthy about a team's sessions (spec §6: no errors in logs). An error is one of these: supervising
 * it failed; its agent ended by itself with an exit code other than 0; an error stands in its log. It counts until
 * a session after it went well. A session that fed stopped (paused, interrupted, timed out, reset) has none, nor
 * has one of a team that finished.
 */
export function sessionFindings(facts: Facts, about: Circumstances): HealthFinding[] {
  const { session, phase } = facts
  if (session === undefined) return []
  if (session instanceof FedError)
    return [
      { kind: 'session-error', team: about.team, message: session.message, fix: "'fed doctor' says more" },
    ]
  const found = findingsOf(session, phase, about)
  if (found.length > 0 || phase !== 'working' || wentWell(session)) return found
  const earlier = failedBefore(session, about)
  if (earlier.length === 0 || !isAlive(session)) return earlier
  const fix = `session ${session.number} is at work; 'fed status ${about.team}' says how it goes`
  return earlier.map((one) => ({ ...one, fix }))
}

/** Whether it ended as an agent's session should; asked of one without findings. */
function wentWell({ end }: Session): boolean {
  return end?.cause === 'ended' || end?.cause === 'finished'
}

/** The error of the mission's sessions before this one, unless one of them went well since. */
function failedBefore({ mission, number }: Session, about: Circumstances): HealthFinding[] {
  const { sessions } = workspaceLayout(about.workspace)
  for (let before = number - 1; before > 0; before -= 1) {
    const session = readableSession(sessions, { mission, number: before })
    if (session === undefined) continue
    const found = findingsOf(session, 'working', about)
    if (found.some(({ kind }) => kind === 'session-error')) return found
    if (found.length === 0 && wentWell(session)) return []
  }
  return []
}

/** A record that is damaged is the doctor's to tell. */
function readableSession(dir: string, which: Pick<Session, 'mission' | 'number'>): Session | undefined {
  return unless(FedError, () => readSession([dir], which))
}

function findingsOf(
  session: Session,
  phase: Facts['phase'],
  { team, usualAgent, present }: Circumstances,
): HealthFinding[] {
  const carryOn =
    phase === 'working'
      ? `'${launchAgain(team, usualAgent, session.agent)}' carries on`
      : "'fed doctor --fix' records its end"
  const about = `session ${session.number} (${session.agent})`
  const error = (message: string, fix = carryOn): HealthFinding[] => [
    {
      kind: 'session-error',
      team,
      message: `${about} ${message}`,
      fix: `${fix}; its output is in ${session.log}`,
    },
  ]
  if (session.end === undefined) {
    if (!isRunning(session.process) && !isRunning(session.launcher)) {
      const message = `${about} died, process ${session.process.pid}, and nobody recorded its end`
      return [{ kind: 'session-died', team, message, fix: carryOn }]
    }
    const isSpeaking = Math.abs(present - mtimeOf(session.log)) < speakingMs
    const words = phase !== 'working' || isSpeaking ? undefined : errorAtEnd(session.log)
    return words === undefined
      ? []
      : error(`still runs, but has said nothing since an error: ${words}`, `'fed pause ${team}' stops it`)
  }
  if (phase !== 'working') return []
  const { cause, exitCode } = session.end
  if (cause === 'lost') {
    return [{ kind: 'session-died', team, message: `${about} died with its launcher`, fix: carryOn }]
  }
  if (cause === 'error') return error('could not be supervised to its end')
  if (cause !== 'ended') return []
  if (exitCode === AGENT_REFUSES) {
    return error('refused the mission', `'fed launch --team ${team} --agent <another>' tries another agent`)
  }
  if (exitCode !== 0) {
    const words = errorAtEnd(session.log) ?? lastLine(session.log)
    return error(`ended with exit code ${exitCode}${words === undefined ? '' : `: ${words}`}`)
  }
  const words = errorAnywhere(session.log)
  return words === undefined ? [] : error(`ended with an error in its log: ${words}`)
}
