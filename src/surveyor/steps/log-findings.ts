import { fed, readLogged } from '../fed-command.ts'
import type { TeamStatus } from '../fed-command.ts'
import type { Mission } from '../read-mission.ts'
import { findingsOf } from '../survey-findings.ts'
import type { Survey } from '../survey.ts'
import type { AgentPlace, Problem } from './survey-step.ts'

/** Logs what is worth remembering, each finding once. */
export async function logFindings(
  place: AgentPlace,
  status: TeamStatus,
  found: Survey,
  mission: Mission,
): Promise<Problem | undefined> {
  const logged = await readLogged(place.team, status.mission?.at ?? '')
  for (const { category, confidence, tags, text } of findingsOf(found, mission)) {
    if (logged.has(text)) continue
    const answer = await fed(
      'learn',
      '--category',
      category,
      '--confidence',
      confidence,
      '--tags',
      tags.join(','),
      text,
    )
    if (answer.code !== 0)
      return {
        alert: 'information-missing',
        reason: `a finding could not be logged: ${answer.stderr}`,
        refused: answer.code === 5,
      }
    logged.add(text)
  }
  return undefined
}
