import { RefusedError } from '../errors.ts'
import { eventOf } from '../protocol/event-name.ts'
import type { SignalDraft } from '../signals/compose.ts'
import type { Team } from '../teams/team.ts'
import type { CommonOptions } from './command.ts'
import { print } from './output.ts'
import { openTeam } from './scope.ts'
import { parseTestCommand, runTests, type TestCommand } from './test-run.ts'

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
  if (run !== undefined)
    await runIfAsked(options, team, milestone, parseTestCommand(run, team.actor.workspace))
  const { entry } = await team.tell(milestone)
  const { accepts } = await team.status()
  if (entry?.outcome !== 'accepted') {
    throw new RefusedError(entry?.refusal?.message ?? `${milestone.subject} waits in ${team.id}'s inbox`)
  }
  print(options, { ...entry, accepts }, ({ from, to }) => {
    const reports = accepts.flatMap(({ event }) => (event.startsWith('report.') ? [event] : []))
    // what was reported right now is the last that is to be reported next
    const milestones = [
      ...reports.filter((event) => event !== entry.event),
      ...reports.filter((event) => event === entry.event),
    ]
    const next = milestones.length === 0 ? '' : `; next: ${milestones.join(' or ')}`
    return `accepted: ${from === to ? from : `${from} → ${to}`}${next}`
  })
}

/** A run may take long: where the machine takes no such milestone now, it says so without one. */
async function runIfAsked(
  { quiet }: CommonOptions,
  team: Team,
  milestone: Pick<SignalDraft, 'type' | 'subject'>,
  command: TestCommand,
): Promise<void> {
  await team.step()
  if (!team.acceptedEvents().includes(eventOf(milestone))) return
  await runTests(team, command, (chunk) => {
    if (!quiet) process.stderr.write(chunk)
  })
}
