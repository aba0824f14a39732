import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { constants } from 'node:os'
import type { Writable } from 'node:stream'
import { FedError, RefusedError } from '../../errors/fed-error.ts'
import { program } from '../../platform/process/package.ts'
import { identify, type ProcessIdentity } from '../../platform/process/process-identity.ts'
import { now } from '../../protocol/time.ts'
import { assertPlain, writePlain } from '../../platform/storage/plain-file.ts'
import { unless } from '../../errors/unless.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { exceededBy } from '../../platform/process/exceeded.ts'
import type { Exceeded } from '../../platform/process/command.ts'
import type { Refused } from '../../platform/confinement/network/proxy.ts'
import { commandFor } from './agent-environment.ts'
import { ProcessOutput } from '../../platform/process/process-output.ts'
import type { AgentDriver, Assignment, Dialogue, Start } from '../drivers/driver.ts'
import { timesFile } from '../../platform/process/log-times.ts'
import { endGroup } from '../../platform/process/process-group.ts'
import { totalsBefore } from '../usage/totals-before.ts'
import { alreadyRuns, assertNoSession, type SessionFolders } from './only-session.ts'
import type { Hold } from '../../engine/confinement/hold.ts'
import { held, type Holding } from './held.ts'
import { describeRefused } from './refused-hosts.ts'
import {
  listSessions,
  logFile,
  promptFile,
  recordEnd,
  recordSession,
  type SessionRecord,
} from './session-record.ts'
import { reportsFile, SessionReports, type AgentReport } from './session-reports.ts'

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
  /** What it used up more of than it may, for which it was ended. */
  readonly exceeded: Exceeded | undefined
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

export interface SessionRequest extends SessionFolders {
  readonly mission: number
  readonly agent: string
  readonly driver: AgentDriver
  readonly profile: SessionRecord['profile']
  /** The agent's prompt. */
  readonly prompt: string
  readonly assignment: (promptFile: string, number: number) => Assignment
  /** What holds the agent. */
  readonly hold: Hold
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
  /** Gets each host that the agent may not reach and tried to, once. */
  readonly onRefused: (refused: Refused) => void
  /** Milliseconds in which the agent must answer short requests, such as opening a session. */
  readonly patienceMs: number
}

/**
 * Starts an agent, at most one for each team. The gate process starts first, and runs the agent only once the
 * record that names the gate is written: a launcher that loses the race, or dies, leaves no agent.
 * @throws {RefusedError} when a session of the team already runs, or is no longer wanted.
 */
export async function startSession(request: SessionRequest): Promise<AgentSession> {
  const { dir, mission, hold } = request
  const self = identify(process.pid)
  const last = await assertNoSession(request, self)
  const number = last?.mission === mission ? last.number + 1 : 1
  const file = promptFile(dir, { mission, number })
  const assignment = request.assignment(file, number)
  const start = request.driver.start(assignment)
  // nothing is refused before the agent runs
  const refusals: Refusals = {}
  const holding = await held(hold, commandFor(assignment, start), assignment, (one) => refusals.tell?.(one))
  const gate = spawn(process.execPath, [program('gate')], {
    // the fourth is the agent's input: the gate's own ends when this process does
    stdio: ['pipe', 'pipe', 'pipe', start.takesInput ? 'pipe' : 'ignore', 'ipc'],
    detached: true,
  }) as ChildProcessWithoutNullStreams
  // a gate that is gone already is told by its exit
  gate.stdin.on('error', () => undefined)
  try {
    return begin(request, gate, holding, { self, number, file, assignment, start, refusals })
  } catch (error) {
    holding.end()
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
  readonly refusals: Refusals
}

/** Where it is told which hosts were refused. */
interface Refusals {
  tell?: (refused: Refused) => void
}

function conversationOf(gate: ChildProcess): Writable | undefined {
  return (gate.stdio[3] as Writable | null | undefined) ?? undefined
}

function begin(
  request: SessionRequest,
  gate: ChildProcessWithoutNullStreams,
  { command, end }: Holding,
  { self, number, file, assignment, start, refusals }: Beginning,
): AgentSession {
  const { dir, mission, agent, driver, profile, prompt } = request
  const { resume } = assignment
  // before there is a record whose end would be missing
  const resumed = resume === undefined ? {} : { id: resume, totals: totalsBefore(dir, mission, resume) }
  const gatekeeper = gate.pid === undefined ? undefined : identify(gate.pid)
  if (self === undefined || gatekeeper === undefined)
    throw new FedError('the agent process could not be started')
  const record: SessionRecord = {
    mission,
    number,
    agent,
    command: [start.file, ...start.args],
    driver: driver.kind,
    ...(resume === undefined ? {} : { resumes: resume }),
    profile,
    open: 'open' in request.hold ? `${request.hold.open}; ${request.hold.remedy}` : null,
    ...(assignment.mayCost === undefined || start.keepsCost !== true ? {} : { mayCost: assignment.mayCost }),
    at: now(),
    process: gatekeeper,
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
  refusals.tell = (refused) => {
    output.write(`${describeRefused(refused)}\n`)
    request.onRefused(refused)
  }
  const exit = follow(gate, output, () => ear?.end()).finally(end)
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

/** @param onGone is called when the agent is gone, and all that it printed was read. */
async function follow(gate: ChildProcess, output: ProcessOutput, onGone: () => void): Promise<AgentExit> {
  const exceeded = exceededBy(gate)
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
  return { exitCode, lastWords, failure: output.failure, exceeded: exceeded() }
}
