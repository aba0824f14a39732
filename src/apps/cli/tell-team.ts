import { RefusedError, UsageError } from '../../errors/fed-error.ts'
import { eventOf } from '../../protocol/event-name.ts'
import type { SignalDraft } from '../../records/signals/compose.ts'
import type { Team } from '../../federation/team.ts'
import type { CommonOptions } from './declare-command.ts'
import { interruption } from './interruption.ts'
import { note, print } from './output.ts'
import { openTeam } from './scope.ts'
import { parseTestCommand, runTests } from './test-run.ts'

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
  await runTestsOf(options, team, milestone, run)
  const { entry, accepts } = await team.tell(milestone)
  if (entry?.outcome !== 'accepted') {
    throw new RefusedError(entry?.refusal?.message ?? `${milestone.subject} waits in ${team.id}'s inbox`)
  }
  // what is missing for each takes longer to find out than which they are
  const told = options.json ? { ...entry, accepts: await team.accepts() } : entry
  print(options, told, ({ from, to }) => {
    const reports = accepts.filter((event) => event.startsWith('report.'))
    // what was reported right now is the last that is to be reported next
    const milestones = [
      ...reports.filter((event) => event !== entry.event),
      ...reports.filter((event) => event === entry.event),
    ]
    const next = milestones.length === 0 ? '' : `; next: ${milestones.join(' or ')}`
    return `accepted: ${from === to ? from : `${from} → ${to}`}${next}`
  })
}

/**
 * Runs what is to prove the milestone: the configured checks that have not passed on the commit, or, where none is
 * configured, the command that was given. A run may take long: where the machine takes no such milestone now, or
 * something else is missing, it says so without one.
 * @throws {UsageError} for a command beside configured checks: it would count nothing.
 */
async function runTestsOf(
  options: CommonOptions,
  team: Team,
  milestone: Pick<SignalDraft, 'type' | 'subject' | 'body'>,
  run: string | undefined,
): Promise<void> {
  // the configuration was read from the disk by this very command
  if (run === undefined && (milestone.type !== 'report' || team.actor.world.config.checks.length === 0))
    return
  const command = run === undefined ? undefined : parseTestCommand(run, team.actor.workspace)
  const { runMissing, wantedChecks } = await import('../../federation/run-missing-checks.ts')
  const wanted = await wantedChecks(team, milestone)
  if (command !== undefined && wanted.byChecks) {
    throw new UsageError(
      `--run counts nothing here: the federation's own checks prove ${milestone.subject}; give the command without it`,
    )
  }
  const onOutput = (chunk: Buffer) => {
    if (!options.quiet) process.stderr.write(chunk)
  }
  if (wanted.missing.length > 0) {
    const onBegin = (words: string) => note(options, `· ${words}`)
    await runMissing(wanted, { signal: interruption(), onOutput, onBegin })
  }
  if (command !== undefined && team.acceptedEvents().includes(eventOf(milestone)))
    await runTests(team, command, { signal: interruption(), onOutput })
}
