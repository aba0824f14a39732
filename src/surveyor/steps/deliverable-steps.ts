import { existsSync } from 'node:fs'
import path from 'node:path'
import { areaOf } from '../areas.ts'
import { readMail } from '../fed-command.ts'
import type { TeamStatus } from '../fed-command.ts'
import { focusOn } from '../focus.ts'
import type { Mission } from '../read-mission.ts'
import { renderReport } from '../render-report.ts'
import { count } from '../report/wording.ts'
import { absentFrom, inWords } from '../search/absent.ts'
import { shortcomingsOf } from '../shortcomings.ts'
import type { Study } from '../study.ts'
import { findingsOf, insightsOf } from '../survey-findings.ts'
import { listFiles } from '../work-tree.ts'
import { logFindings } from './log-findings.ts'
import { report, say, whyUnreadable, writeInto } from './survey-step.ts'
import type { AgentPlace, Problem, Progress } from './survey-step.ts'

/** Plans from names alone: which of the mission's paths there are, and what stands at the top. */
export async function prepare(
  { root, team }: AgentPlace,
  mission: Mission,
  study: Study,
): Promise<Problem | Progress> {
  const unreadable = await whyUnreadable(root)
  if (unreadable !== undefined) return unreadable
  const files = await listFiles(root)
  // Most of the time goes into starting commands, and the survey can do without them.
  study.begin()
  for (const line of await readMail(team)) say(line)
  const top = [...new Set(files.map((file) => file.split('/')[0] ?? file))].filter((name) =>
    existsSync(path.join(root, name)),
  )
  if (top.length === 0)
    return {
      alert: 'information-missing',
      reason: 'the repository holds no files, so there is nothing to survey',
      refused: false,
    }
  const named = mission.paths.filter((name) => existsSync(path.join(root, name)))
  const subject =
    mission.topics.length > 0
      ? `follow the words ${mission.topics.join(', ')} through paths, symbols, comments and text`
      : 'survey the whole repository'
  say(`planning: ${count(files.length, 'file')}`)
  return report(
    'mission-planned',
    `Plan: list ${count(files.length, 'file')}, parse the source code, read the history, then ${subject}. Sources: ${[...new Set([...named, ...top])].slice(0, 12).join(', ')}`,
    'information-missing',
  )
}

/** Reads the repository and logs what was found; what is not there is no mission. */
export async function scan(
  place: AgentPlace,
  status: TeamStatus,
  mission: Mission,
  study: Study,
): Promise<Problem | Progress> {
  const found = await study.survey()
  if (mission.area !== undefined && areaOf(found, mission) === undefined)
    return {
      alert: 'information-missing',
      reason: `the code has no area ${mission.area} any more: it was changed since the plan was made`,
      refused: false,
    }
  const focus = mission.area === undefined ? focusOn(found, mission) : undefined
  // A mission about nothing but paths that do not exist rests on a mistake (a typo, another branch): whoever
  // sent it is better served by the nearest names now than by a report on something else.
  if (
    focus !== undefined &&
    focus.missingPaths.length > 0 &&
    focus.namedPaths.length === 0 &&
    focus.files.length + focus.documents.length === 0 &&
    !mission.isGeneral
  ) {
    const missing = focus.missingPaths.map(
      ({ path: name, near }) =>
        `${name} does not exist${near.length > 0 ? ` (the nearest are ${near.join(', ')})` : ''}`,
    )
    return { alert: 'information-missing', reason: missing.join('; '), refused: false }
  }
  const isAsked = !mission.isGeneral && mission.topics.length > 0 && mission.area === undefined
  const absent = isAsked ? absentFrom(found, mission.subject, mission.topics) : []
  if (absent.length > 0 && (focus?.namedPaths.length ?? 0) === 0)
    return { alert: 'information-missing', reason: absent.map(inWords).join('; '), refused: false }
  const parsed = found.files.filter(({ facts }) => facts.code !== undefined).length
  say(`mapping ${count(parsed, 'module')}`)
  for (const shortcoming of shortcomingsOf(focus, mission)) say(shortcoming)
  const problem = await logFindings(place, status, found, mission)
  if (problem !== undefined) return problem
  return report(
    'files-read',
    `${count(found.files.length, 'file')} read, ${parsed} of them parsed`,
    'information-missing',
  )
}

/** What the findings come to. */
export async function distil(mission: Mission, study: Study): Promise<Problem | Progress> {
  const insights = insightsOf(findingsOf(await study.survey(), mission))
  say('distilling what was found')
  return report('patterns-identified', insights, 'structure-undetermined')
}

/** Writes the report. */
export async function write(
  { workspace }: AgentPlace,
  { deliverable }: TeamStatus,
  mission: Mission,
  study: Study,
): Promise<Problem | Progress> {
  const markdown = renderReport(await study.survey(), mission)
  say(`writing ${deliverable}`)
  writeInto(workspace, deliverable, markdown)
  return report('document-written', `${deliverable} is written`, 'structure-undetermined')
}
