import type { CommonOptions } from './declare-command.ts'
import { print } from './output.ts'
import { perform } from './perform.ts'

/** What is said by `fed report` and `fed alert`. */
interface Milestone {
  readonly type: 'report' | 'alert'
  readonly subject: string
  readonly body: string | undefined
}

/**
 * Sends a signal to the acting team itself, steps it, and says at once what became of it.
 * @throws {RefusedError} with the machine's reason.
 */
export async function tell(
  options: CommonOptions,
  { type, subject, body }: Milestone,
  { team, run }: { team?: string | undefined; run?: string | undefined },
): Promise<void> {
  const load = async () => (await import('../../agents/requests/team-requests.ts'))[type]
  // what is missing for each takes longer to find out than which they are
  const said = { subject, body, missing: options.json === true, ...(run === undefined ? {} : { run }) }
  const { next, ...entry } = await perform(options, type, load, said, { as: team, isForTeams: true })
  print(options, entry, ({ from, to, event }) => {
    const reports = next.filter((one) => one.startsWith('report.'))
    // what was reported right now is the last that is to be reported next
    const milestones = [...reports.filter((one) => one !== event), ...reports.filter((one) => one === event)]
    const words = milestones.length === 0 ? '' : `; next: ${milestones.join(' or ')}`
    return `accepted: ${from === to ? from : `${from} → ${to}`}${words}`
  })
}
