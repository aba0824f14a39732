import { spawnSync } from 'node:child_process'
import { recordTestRun } from '../actors/test-runs.ts'
import { RefusedError, UsageError } from '../errors.ts'
import { git } from '../git.ts'
import { now } from '../protocol/time.ts'
import { findProgram } from '../sessions/known-agents.ts'
import { splitCommand } from '../sessions/agent-command.ts'
import type { SignalDraft } from '../signals/compose.ts'
import type { Team } from '../teams/team.ts'
import type { CommonOptions } from './command.ts'
import { print } from './output.ts'
import { openTeam } from './scope.ts'

/**
 * Sends a signal to the acting team itself, steps it, and says at once what became of it.
 * @throws {RefusedError} with the machine's reason.
 */
export async function tell(
  options: CommonOptions,
  milestone: Pick<SignalDraft, 'type' | 'subject' | 'body'>,
  { team: named, run }: { team?: string; run?: string },
): Promise<void> {
  const { team } = await openTeam(options, named)
  if (run !== undefined) runTests(team, run)
  const { entry } = await team.tell(milestone)
  const { accepts } = await team.status()
  if (entry?.outcome !== 'accepted') {
    throw new RefusedError(entry?.refusal?.message ?? `${milestone.subject} waits in ${team.id}'s inbox`)
  }
  print(options, { ...entry, accepts }, ({ from, to }) => {
    const milestones = accepts.flatMap(({ event }) => (event.startsWith('report.') ? [event] : []))
    const next = milestones.length === 0 ? '' : `; next: ${milestones.join(' or ')}`
    return `accepted: ${from === to ? from : `${from} → ${to}`}${next}`
  })
}

/** Runs a command in the workspace and records commit and exit code: evidence that no agent can make up. */
function runTests(team: Team, command: string): void {
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
