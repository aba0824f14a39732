import { planAgent, plannedFor } from '../../src/agents/sessions/launch-plan.ts'
import { briefingOf } from '../../src/agents/briefing/briefing.ts'
import { reload } from './federation.ts'

/** What an agent of a team would be told. */
export async function promptFor(root: string, id: string): Promise<string> {
  const team = await reload(root, id)
  const hold = { open: 'confinement is off', remedy: '' }
  return (await briefingOf(team, { ...planAgent(plannedFor(team), {}), hold })).prompt
}
