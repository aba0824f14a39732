import { RefusedError } from '../errors.ts'
import type { SignalDraft } from '../signals/compose.ts'
import type { CommonOptions } from './command.ts'
import { print } from './output.ts'
import { openTeam } from './scope.ts'
import { runTests } from './test-run.ts'

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
