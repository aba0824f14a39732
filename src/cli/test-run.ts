import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import path from 'node:path'
import { newTestLog, recordTestRun } from '../actors/test-runs.ts'
import { FedError, InterruptedError, UsageError } from '../errors.ts'
import { gitOrNothing, outsideOfHooks, uncommittedIn } from '../git.ts'
import { program } from '../package.ts'
import { now } from '../protocol/time.ts'
import { splitCommand, withoutQuoted, type AgentCommand } from '../sessions/agent-command.ts'
import { AgentOutput } from '../sessions/agent-output.ts'
import { findProgram } from '../sessions/known-agents.ts'
import { endGroup } from '../sessions/process-group.ts'
import type { Team } from '../teams/team.ts'
import { interruption } from './interruption.ts'

/** Words that mean something to a shell only: to a program they would be arguments. */
const shellWord = /(?<!\S)(?:&&|\|\||[;|<>])(?!\S)/

/** A command to run, as it was given, and what that means. */
export interface TestCommand {
  readonly words: string
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
}

/**
 * Reads a command line: words are split at blanks, single or double quotes keep blanks together, and nothing else
 * has a meaning, because there is no shell.
 * @param workspace where it runs, and from where a program's path is seen.
 * @throws {UsageError} when it cannot be run as it is given.
 */
export function parseTestCommand(words: string, workspace: string): TestCommand {
  if (words.trim() === '')
    throw new UsageError('--run: the command is empty; give the one that runs the tests, such as "npm test"')
  const [word] = shellWord.exec(withoutQuoted(words)) ?? []
  if (word !== undefined) {
    throw new UsageError(
      `--run: there is no shell, so '${word}' has no meaning; put the commands into a script and run that`,
    )
  }
  const [name, ...args] = splitCommand(words)
  const file = findProgram(name as string, workspace)
  if (file === undefined) {
    const where = name?.includes(path.sep) ? `in ${workspace}` : 'on the PATH'
    throw new UsageError(`--run: there is no program '${name}' ${where}`)
  }
  return { words, file, args }
}

/**
 * Runs a command in the workspace and records commit, exit code and log. The exit code is what `fed` saw, not
 * what an agent says; whether the command tests anything is for the reviewer to see, who finds it in the record.
 * It runs behind a gate, so that nothing of it outlives this process, however that ends.
 * @param onOutput gets what it prints, beside the log.
 * @throws {UsageError} where there is no commit to run it on; {InterruptedError}, and then nothing is recorded.
 */
export async function runTests(
  team: Team,
  { words, file, args }: TestCommand,
  onOutput: (chunk: Buffer) => void,
): Promise<void> {
  const { workspace, world } = team.actor
  const commit = gitOrNothing(workspace, 'rev-parse', '--verify', '--quiet', 'HEAD')
  if (commit === undefined) throw new UsageError(`--run: ${workspace} has no commit to run it on`)
  const uncommitted = uncommittedIn(workspace)
  const log = newTestLog(workspace)
  const signal = interruption()
  const { exitCode } = await behindGate(
    {
      file,
      args,
      cwd: workspace,
      env: { FED_ROOT: world.root, FED_TEAM: team.id, FED_WORKSPACE: workspace },
    },
    { log, signal, onOutput },
  )
  if (signal.aborted)
    throw new InterruptedError(`interrupted, and nothing was recorded; what '${words}' printed is in ${log}`)
  const { mission } = team.present().context
  const ended = now()
  // a clock that was set back since then does not make the run older than the mission
  const at = mission !== null && Date.parse(ended) < Date.parse(mission.at) ? mission.at : ended
  recordTestRun(workspace, { at, command: words, commit, exitCode, uncommitted, log })
}

async function behindGate(
  command: AgentCommand,
  { log, signal, onOutput }: { log: string; signal: AbortSignal; onOutput: (chunk: Buffer) => void },
): Promise<{ readonly exitCode: number }> {
  const gate = spawn(process.execPath, [program('session-gate')], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: outsideOfHooks(),
    // a process group of its own, which ends as a whole
    detached: true,
  })
  // a gate that is gone already is told by its exit
  gate.stdin.on('error', () => undefined)
  const { pid } = gate
  if (pid === undefined) throw new FedError(`${command.file} could not be started`)
  const output = new AgentOutput(gate, { log }, () => undefined)
  for (const stream of [gate.stdout, gate.stderr]) stream.on('data', onOutput)
  const stop = () => gate.kill('SIGTERM')
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  const exited = once(gate, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  gate.stdin.write(`${JSON.stringify(command)}\n`)
  const [code, ended] = await exited
  // what it started and left must not go on
  await endGroup(pid)
  await output.end()
  return { exitCode: code ?? 128 + (ended === null ? 0 : constants.signals[ended]) }
}
