import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, type WriteStream } from 'node:fs'
import { RefusedError } from '../errors.ts'
import { program } from '../package.ts'
import { now } from '../protocol/time.ts'
import { hasCode } from '../storage/disk.ts'
import type { AgentCommand } from './agent-command.ts'
import { identify, isRunning, type ProcessIdentity } from '../process-identity.ts'
import {
  listSessions,
  logFile,
  recordEnd,
  recordSession,
  type Session,
  type SessionEnd,
  type SessionRecord,
} from './session-record.ts'

/** What an agent process left behind. */
export interface AgentExit {
  /** Exit code; 128 + the signal's number when a signal ended it. */
  readonly exitCode: number
  /** Last lines that it wrote to its standard error. */
  readonly lastWords: string
}

const keptWords = 2000

/** A running agent whose record stands. */
export interface AgentSession {
  readonly record: SessionRecord
  /** Settles when the agent is gone; never rejects. */
  readonly exit: Promise<AgentExit>
  /** Asks it to end; after five seconds it is killed. */
  stop(): void
}

export interface SessionRequest {
  /** Folder of the team's session records. */
  readonly dir: string
  readonly mission: number
  readonly agent: string
  readonly command: (number: number) => AgentCommand
  /** Gets each line that the agent prints. */
  readonly onLine: (line: string) => void
}

/**
 * Starts an agent, at most one for each team. The process is started first but waits behind its gate until
 * the record that names it stands: a launcher that loses the race, or dies, leaves no agent.
 * @throws {RefusedError} when a session of the team already runs.
 */
export async function startSession(request: SessionRequest): Promise<AgentSession> {
  const number = await nextNumber(request)
  const command = request.command(number)
  const gate = spawn(process.execPath, [program('session-gate')], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  })
  // a gate that is gone already is told by its exit
  gate.stdin.on('error', () => undefined)
  const self = identify(process.pid)
  const held = gate.pid === undefined ? undefined : identify(gate.pid)
  if (self === undefined || held === undefined)
    throw new RefusedError('the agent process could not be started')
  const record: SessionRecord = {
    mission: request.mission,
    number,
    agent: request.agent,
    command: [command.file, ...command.args],
    at: now(),
    process: held,
    launcher: self,
  }
  if (!recordSession(request.dir, record)) {
    gate.stdin.end()
    throw running(request.dir)
  }
  const log = createWriteStream(logFile(request.dir, record), { flags: 'a' })
  const exit = follow(gate, log, request.onLine)
  gate.stdin.write(`${JSON.stringify(command)}\n`)
  return { record, exit, stop: () => void gate.kill('SIGTERM') }
}

function running(dir: string, session: Session | undefined = listSessions(dir).at(-1)): RefusedError {
  return new RefusedError(
    `a session of this team already runs (${session?.agent}, process ${session?.process.pid}, since ${session?.at}); ` +
      `its output is in ${session?.log}`,
  )
}

/** The number of the next session, once the last one has surely ended. */
async function nextNumber({ dir, mission }: SessionRequest): Promise<number> {
  const last = listSessions(dir).at(-1)
  if (last === undefined) return 1
  if (last.end === undefined) {
    if (isRunning(last.process)) {
      if (isRunning(last.launcher)) throw running(dir, last)
      await stopOrphan(last.process)
    }
    recordEnd(dir, last, { at: now(), exitCode: null, cause: 'lost' })
  }
  return last.mission === mission ? last.number + 1 : 1
}

/** An agent whose launcher died is being ended by its gate; after a while this makes sure. */
async function stopOrphan(orphan: ProcessIdentity): Promise<void> {
  const deadline = Date.now() + 10_000
  while (isRunning(orphan)) {
    if (Date.now() > deadline) killGroup(orphan.pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error
  }
}

function follow(gate: ChildProcess, log: WriteStream, onLine: (line: string) => void): Promise<AgentExit> {
  let words = ''
  let rest = ''
  gate.stdout?.on('data', (chunk: Buffer) => {
    log.write(chunk)
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') onLine(line)
  })
  gate.stderr?.on('data', (chunk: Buffer) => {
    log.write(chunk)
    words = (words + chunk.toString()).slice(-keptWords)
  })
  return new Promise((resolve) => {
    gate.on('exit', (code) => {
      // what the agent started and left must not hold its output open, nor go on
      if (gate.pid !== undefined) killGroup(gate.pid, 'SIGTERM')
      gate.stdout?.destroy()
      gate.stderr?.destroy()
      log.end(() => resolve({ exitCode: code ?? 128, lastWords: words.trim() }))
    })
  })
}

/** Records how a session ended. */
export function endSession(
  dir: string,
  record: SessionRecord,
  exitCode: number | null,
  cause: SessionEnd['cause'],
): void {
  recordEnd(dir, record, { at: now(), exitCode, cause })
}
