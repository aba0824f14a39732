import { newTestLog, recordTestRun } from '../../engine/step/test-runs.ts'
import { runBehindGate } from '../../platform/process/run-behind-gate.ts'
import { uncommittedFiles } from '../../platform/git/uncommitted-work.ts'
import { InterruptedError, UsageError } from '../../errors/fed-error.ts'
import { gitOrNothing } from '../../platform/git/git.ts'
import { commandFault, splitCommand } from '../../protocol/command-words.ts'
import { now } from '../../protocol/time.ts'
import { findProgram } from '../../platform/process/find-program.ts'
import type { Team } from '../../federation/team.ts'

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
  const fault = commandFault(words)
  if (fault !== undefined) throw new UsageError(`--run: ${fault}`)
  const [name, ...args] = splitCommand(words) as [string, ...string[]]
  const file = findProgram(name, workspace)
  if (file === undefined) {
    const where = name.includes('/') ? `in ${workspace}` : 'on the PATH'
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
  { signal, onOutput }: { readonly signal: AbortSignal; readonly onOutput: (chunk: Buffer) => void },
): Promise<void> {
  const { workspace, world } = team.actor
  const commit = gitOrNothing(workspace, 'rev-parse', '--verify', '--quiet', 'HEAD')
  if (commit === undefined) throw new UsageError(`--run: ${workspace} has no commit to run it on`)
  const uncommitted = uncommittedFiles(workspace)
  const log = newTestLog(workspace)
  const { exitCode } = await runBehindGate(
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
