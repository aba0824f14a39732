import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { FedError, RefusedError } from '../../errors/fed-error.ts'
import { program } from '../../platform/process/package.ts'
import { identify, isRunning, type ProcessIdentity } from '../../platform/process/process-identity.ts'
import { now } from '../../protocol/time.ts'
import { assertPlain, writePlain } from '../../platform/storage/plain-file.ts'
import { unless } from '../../errors/unless.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { AGENT_REFUSES } from './agent-command.ts'
import type { Command } from '../../platform/process/command.ts'
import { commandFor } from './agent-environment.ts'
import { ProcessOutput } from '../../platform/process/process-output.ts'
import type { AgentDriver, Assignment, Dialogue, Start } from '../drivers/driver.ts'
import { timesFile } from '../../platform/process/log-times.ts'
import { endAbandoned, endGroup, graceMs, signalGroup } from '../../platform/process/process-group.ts'
import { withinSandbox, type Sandbox } from './sandbox.ts'
import {
  lastSession,
  listSessions,
  logFile,
  mayGoOn,
  promptFile,
  recordEnd,
  recordLeft,
  recordSession,
  type Session,
  type SessionRecord,
} from './session-record.ts'
import { readReports, reportsFile, SessionReports, type AgentReport, type Usage } from './session-reports.ts'

/** Longest line that is shown to people, in characters; of a longer one its end. */
const longestShown = 10_000

/** How an agent process ended. */
export interface AgentExit {
  /** Exit code; 128 + the signal's number when a signal ended it. */
  readonly exitCode: number
  /** The end of what the process wrote to its standard error. */
  readonly lastWords: string
  /** The system's error for which it was ended: what it said could not be kept. */
  readonly failure: unknown
}

/** A running agent whose session is recorded. */
export interface AgentSession {
  readonly record: SessionRecord
  /** Resolves when the agent and everything that it started is gone. */
  readonly exit: Promise<AgentExit>
  /** What the agent reported so far. */
  readonly reports: SessionReports
  /** The conversation with the agent; undefined for a driver without `talk`. */
  readonly dialogue: Dialogue | undefined
  /** Asks the agent to end; after five seconds it is killed. */
  stop(): void
}

/** Where a team's sessions are. */
export interface SessionFolders {
  readonly workspace: string
  /** Folder of the team's session records. */
  readonly dir: string
  /** Folder of the session records of the mission before this one. */
  readonly earlierDir: string
}

export interface SessionRequest extends SessionFolders {
  readonly mission: number
  readonly agent: string
  readonly driver: AgentDriver
  readonly profile: SessionRecord['profile']
  /** The agent's prompt. */
  readonly prompt: string
  readonly assignment: (promptFile: string, number: number) => Assignment
  /** Sandbox in which the agent is started; undefined without one. */
  readonly sandbox: Sandbox | undefined
  /**
   * Asked once the session is recorded, before the agent starts.
   * @returns why the session is no longer wanted, if so.
   */
  readonly unwanted: () => string | undefined
  /** Called with the written record before the agent starts; when it throws, the agent is not started. */
  readonly onRecorded?: (record: SessionRecord) => void
  /** Gets each line that the agent prints, or that its driver logs of a conversation. */
  readonly onLine: (line: string) => void
  /** Gets each new report of the agent once it is kept. */
  readonly onReport: (report: AgentReport) => void
  /** Milliseconds in which the agent must answer short requests, such as opening a session. */
  readonly patienceMs: number
}

/**
 * Starts an agent, at most one for each team. The gate process starts first, and runs the agent only once the
 * record that names the gate is written: a launcher that loses the race, or dies, leaves no agent.
 * @throws {RefusedError} when a session of the team already runs, or is no longer wanted.
 */
export async function startSession(request: SessionRequest): Promise<AgentSession> {
  const { dir, mission, sandbox } = request
  const self = identify(process.pid)
  const last = await assertNoSession(request, self)
  const number = last?.mission === mission ? last.number + 1 : 1
  const file = promptFile(dir, { mission, number })
  const assignment = request.assignment(file, number)
  const start = request.driver.start(assignment)
  const outside = commandFor(assignment, start)
  const command = sandbox === undefined ? outside : withinSandbox(outside, sandbox, assignment.workspace)
  const gate = spawn(process.execPath, [program('gate')], {
    // the fourth is the agent's input: the gate's own ends when this process does
    stdio: start.takesInput ? ['pipe', 'pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe'],
    detached: true,
  }) as ChildProcessWithoutNullStreams
  // a gate that is gone already is told by its exit
  gate.stdin.on('error', () => undefined)
  try {
    return begin(request, gate, command, { self, number, file, assignment, start })
  } catch (error) {
    // a gate whose input ends starts nothing; its pipes would keep this process alive
    gate.stdin.end()
    conversationOf(gate)?.destroy()
    gate.stdout.destroy()
    gate.stderr.destroy()
    gate.unref()
    throw error
  }
}

interface Beginning {
  readonly self: ProcessIdentity | undefined
  readonly number: number
  /** File of the prompt. */
  readonly file: string
  readonly assignment: Assignment
  readonly start: Start
}

function conversationOf(gate: ChildProcess): Writable | undefined {
  return (gate.stdio[3] as Writable | null | undefined) ?? undefined
}

function begin(
  request: SessionRequest,
  gate: ChildProcessWithoutNullStreams,
  command: Command,
  { self, number, file, assignment, start }: Beginning,
): AgentSession {
  const { dir, mission, agent, driver, profile, prompt } = request
  const held = gate.pid === undefined ? undefined : identify(gate.pid)
  if (self === undefined || held === undefined) throw new FedError('the agent process could not be started')
  const record: SessionRecord = {
    mission,
    number,
    agent,
    command: [start.file, ...start.args],
    driver: driver.kind,
    ...(assignment.resume === undefined ? {} : { resumes: assignment.resume }),
    profile,
    sandboxed: request.sandbox !== undefined,
    ...(assignment.mayCost === undefined || start.keepsCost !== true ? {} : { mayCost: assignment.mayCost }),
    at: now(),
    process: held,
    launcher: self,
  }
  if (!recordSession(dir, record)) {
    gate.stdin.end()
    throw alreadyRuns(listSessions(dir).at(-1))
  }
  const reason = request.unwanted()
  if (reason !== undefined) {
    gate.stdin.end()
    recordEnd(dir, record, { at: now(), exitCode: null, cause: 'unwanted' })
    throw new RefusedError(reason)
  }
  const { resume: id } = assignment
  const resumed = id === undefined ? {} : { id, totals: totalsBefore(dir, mission, id) }
  const reports = new SessionReports(reportsFile(dir, record), request.onReport, resumed)
  const ear = driver.listen?.((report) => output.keeping(() => reports.add(report)), start)
  const onLine = (line: string) => {
    ear?.line(line)
    request.onLine(shown(line))
  }
  let output: ProcessOutput
  try {
    writePlain(file, prompt)
    // before the agent says anything that could not be kept
    assertPlain(reportsFile(dir, record))
    request.onRecorded?.(record)
    output = new ProcessOutput(
      gate,
      { log: logFile(dir, record), times: timesFile(dir, record) },
      driver.talk === undefined ? onLine : undefined,
    )
  } catch (error) {
    try {
      recordEnd(dir, record, { at: now(), exitCode: null, cause: 'error' })
    } catch (another) {
      // the next launch records it as lost
      if (!(another instanceof Error && 'syscall' in another)) throw another
    }
    throw error
  }
  const exit = follow(gate, output, () => ear?.end())
  gate.stdin.write(`${JSON.stringify(command)}\n`)
  const input = conversationOf(gate)
  const dialogue =
    input &&
    driver.talk?.({
      input,
      output: gate.stdout,
      assignment,
      report: (report) => output.keeping(() => reports.add(report)),
      log(line) {
        output.write(`${line}\n`)
        request.onLine(shown(line))
      },
      patienceMs: request.patienceMs,
    })
  return { record, exit, reports, dialogue, stop: () => void gate.kill('SIGTERM') }
}

/** The line as it is shown to people: long ones without their beginning, but JSON whole, to stay readable. */
function shown(line: string): string {
  return line.startsWith('{') ? line : line.slice(-longestShown)
}

/** What the agent's own session had used up before it is resumed, as far as it told that. */
function totalsBefore(dir: string, mission: number, resume: string): Usage {
  return listSessions(dir)
    .filter((session) => session.mission === mission)
    .flatMap((session) => unless(FedError, () => readReports(dir, session)) ?? [])
    .reduce<Usage>(
      (totals, { agentSession, total }) => (agentSession === resume ? { ...totals, ...total } : totals),
      {},
    )
}

/** @param onGone is called when the agent is gone, and all that it printed was read. */
async function follow(gate: ChildProcess, output: ProcessOutput, onGone: () => void): Promise<AgentExit> {
  const exitCode = await new Promise<number>((resolve) => {
    gate.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    )
  })
  // what the agent started and left must not hold its output open, nor go on
  if (gate.pid !== undefined) await endGroup(gate.pid)
  const lastWords = await output.end()
  // what is read then is for the figures alone
  unless([FedError, isSystemError], onGone)
  return { exitCode, lastWords, failure: output.failure }
}

function alreadyRuns(session: Session | undefined): RefusedError {
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
  const goesOn = last?.end?.cause === 'ended' && last.end.exitCode !== AGENT_REFUSES && mayGoOn(dir, last)
  if (goesOn && !isDeepStrictEqual(last.launcher, self) && isRunning(last.launcher)) throw stays(last)
  return last
}

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
