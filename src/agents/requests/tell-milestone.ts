import type { Acceptance } from '../../engine/step/acceptance.ts'
import type { Handled } from '../../engine/decide/lifecycle.ts'
import { RefusedError, UsageError } from '../../errors/fed-error.ts'
import { eventOf } from '../../protocol/event-name.ts'
import type { SignalDraft } from '../../records/signals/compose.ts'
import type { Team } from '../../federation/team.ts'
import type { Caller } from './request.ts'
import { parseTestCommand, runTests } from './test-run.ts'

/** What a team tells its own machine. */
export type Milestone = Pick<SignalDraft, 'type' | 'subject' | 'body'>

export interface Wishes {
  /** A command that is run first, where no checks are configured. */
  readonly run?: string | undefined
  /** Whether to say what is missing for what is accepted now, which takes longer than which events they are. */
  readonly missing: boolean
}

/** What the machine made of a milestone that it accepted. */
export type Accepted = Handled & {
  /** Events that the team accepts now. */
  readonly next: readonly string[]
  readonly accepts?: readonly Acceptance[]
}

/**
 * Sends a signal to the acting team itself, steps it, and answers what became of it. What is to prove a milestone
 * is run first.
 * @throws {RefusedError} with the machine's reason.
 */
export async function tellMilestone(
  caller: Caller,
  team: Team,
  milestone: Milestone,
  { run, missing }: Wishes,
): Promise<Accepted> {
  await runTestsOf(caller, team, milestone, run)
  const { entry, accepts: next } = await team.tell({ ...milestone, ...caller.once })
  if (entry?.outcome !== 'accepted') {
    throw new RefusedError(entry?.refusal?.message ?? `${milestone.subject} waits in ${team.id}'s inbox`)
  }
  return { ...entry, next, ...(missing ? { accepts: await team.accepts() } : {}) }
}

/**
 * Runs what is to prove the milestone: the configured checks that have not passed on the commit, or, where none is
 * configured, the command that was given. A run may take long: where the machine takes no such milestone now, or
 * something else is missing, it says so without one.
 * @throws {UsageError} for a command beside configured checks: it would count nothing.
 */
async function runTestsOf(
  { watch }: Caller,
  team: Team,
  milestone: Milestone,
  run: string | undefined,
): Promise<void> {
  // the configuration was read from the disk for this very request
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
  if (wanted.missing.length > 0) await runMissing(wanted, watch)
  if (command !== undefined && team.acceptedEvents().includes(eventOf(milestone)))
    await runTests(team, command, watch)
}
