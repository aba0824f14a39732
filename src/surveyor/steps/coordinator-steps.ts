import { areasOf } from '../areas.ts'
import type { TeamStatus } from '../fed-command.ts'
import { gatherParts, readParts } from '../gather.ts'
import { planOf } from '../plan-goal.ts'
import type { Mission } from '../read-mission.ts'
import { count } from '../report/wording.ts'
import type { Study } from '../study.ts'
import { report, say, whyUnreadable, writeInto } from './survey-step.ts'
import type { AgentPlace, Problem, Progress } from './survey-step.ts'

/** Splits the goal by the module graph: a task for each area. */
export async function planGoal(
  { root, workspace }: AgentPlace,
  mission: Mission,
  study: Study,
): Promise<Problem | Progress> {
  const unreadable = await whyUnreadable(root)
  if (unreadable !== undefined) return unreadable
  say('planning by the module graph')
  const areas = areasOf(await study.survey())
  const isGeneral = mission.isGeneral || mission.topics.length === 0
  writeInto(workspace, 'plan.yaml', await planOf(mission.text.split('\n')[0] ?? '', isGeneral, areas))
  return report('plan-ready', `${count(areas.areas.length, 'area')}`, 'structure-undetermined')
}

/** Makes one document of those that the tasks proved. */
export async function gather(
  { workspace }: AgentPlace,
  { deliverable }: TeamStatus,
  mission: Mission,
): Promise<Problem | Progress> {
  const { parts, missing } = await readParts(workspace)
  say(`gathering ${count(parts.length, 'document')}`)
  writeInto(workspace, deliverable, gatherParts(mission.text.split('\n')[0] ?? '', parts, missing))
  return report('result-gathered', `${deliverable} is written`, 'structure-undetermined')
}
