import { spawnSync } from 'node:child_process'
import { recordTestRun } from '../actors/test-runs.ts'
import { UsageError } from '../errors.ts'
import { git } from '../git.ts'
import { now } from '../protocol/time.ts'
import { splitCommand, withoutQuoted } from '../sessions/agent-command.ts'
import { findProgram } from '../sessions/known-agents.ts'
import type { Team } from '../teams/team.ts'

/** Words that mean something to a shell only: to a program they would be arguments. */
const shellWord = /(?<!\S)(?:&&|\|\||[;|<>])(?!\S)/

/**
 * Runs a command in the workspace and records commit and exit code. The exit code is what `fed` saw, not what
 * an agent says; whether the command tests anything is for the reviewer to see, who finds it in the record.
 * @throws {UsageError} when it cannot be run as it is given.
 */
export function runTests(team: Team, command: string): void {
  if (command.trim() === '')
    throw new UsageError('--run: the command is empty; give the one that runs the tests, such as "npm test"')
  const [word] = shellWord.exec(withoutQuoted(command)) ?? []
  if (word !== undefined) {
    throw new UsageError(
      `--run: there is no shell, so '${word}' has no meaning; put the commands into a script and run that`,
    )
  }
  const { workspace } = team.actor
  const [name, ...args] = splitCommand(command)
  const file = findProgram(name as string)
  if (file === undefined) throw new UsageError(`--run: there is no program '${name}' on the PATH`)
  const commit = git(workspace, 'rev-parse', 'HEAD')
  const { status, error } = spawnSync(file, args, {
    cwd: workspace,
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (error !== undefined) throw new UsageError(`--run: ${error.message}`, { cause: error })
  recordTestRun(workspace, { at: now(), command, commit, exitCode: status ?? 1 })
}
