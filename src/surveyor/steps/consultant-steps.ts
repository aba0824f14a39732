import { answerQuestion } from '../answer-question.ts'
import { areasOf } from '../areas.ts'
import type { TeamStatus } from '../fed-command.ts'
import type { Mission } from '../read-mission.ts'
import { count } from '../report/wording.ts'
import type { Study } from '../study.ts'
import { logFindings } from './log-findings.ts'
import { report, say } from './survey-step.ts'
import type { AgentPlace, Problem, Progress } from './survey-step.ts'

/** What a consultant's domain is: areas of the repository and their modules. */
export async function mapDomain(study: Study): Promise<Problem | Progress> {
  const { areas } = areasOf(await study.survey())
  const told = areas.map(({ id, files }) => `${id} (${count(files.length, 'module')})`)
  say('mapping the domain')
  return report('domain-mapped', told.join(', ') || 'no code, documents alone', 'structure-undetermined')
}

/** Logs what is worth remembering of the domain. */
export async function indexDomain(
  place: AgentPlace,
  status: TeamStatus,
  mission: Mission,
  study: Study,
): Promise<Problem | Progress> {
  const found = await study.survey()
  say(`indexing ${count(found.files.length, 'file')}`)
  const problem = await logFindings(place, status, found, mission)
  return problem ?? report('index-built', `${count(found.files.length, 'file')} read`, 'information-missing')
}

/** Answers the question that is open. */
export async function answerAsked({ question }: TeamStatus, study: Study): Promise<Problem | Progress> {
  say(`answering “${question?.subject ?? ''}”`)
  const text = answerQuestion(await study.survey(), question?.subject ?? '', question?.body ?? '')
  return report('answer', text, 'information-missing')
}
