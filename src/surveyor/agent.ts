import { existsSync } from 'node:fs'
import path from 'node:path'
import { replaceFile, WRITABLE } from '../platform/storage/disk.ts'
import { fed, readLogged, readMail, readStatus, reportMilestone } from './fed-command.ts'
import type { TeamStatus } from './fed-command.ts'
import { findingsOf, insightsOf } from './survey-findings.ts'
import { answerQuestion } from './answer-question.ts'
import { focusOn } from './focus.ts'
import { absentFrom, inWords } from './search/absent.ts'
import { isRepository, listFiles } from './work-tree.ts'
import { readMission } from './read-mission.ts'
import type { Mission } from './read-mission.ts'
import { areaOf, areasOf } from './areas.ts'
import { gatherParts, readParts } from './gather.ts'
import { planOf } from './plan-goal.ts'
import { count } from './report/wording.ts'
import { renderReport } from './render-report.ts'
import { shortcomingsOf } from './shortcomings.ts'
import { Study } from './study.ts'
import type { Survey } from './survey.ts'
import { whyUnsuited } from './why-unsuited.ts'

export interface AgentPlace {
  /** Folder of the code; the federation root. */
  root: string
  team: string
  workspace: string
}

/** Ends of the agent: finished, failed, refused the mission. */
const FINISHED = 0
const FAILED = 1
const REFUSED = 5

/** How often a report may leave the state unchanged before something is wrong for good. */
const MOST_STALLS = 3

/**
 * Carries the team from the state that `fed` reports to the end of its machine, one milestone at a time, and
 * answers the exit code. Nothing is remembered between processes but the caches, so it can be killed anywhere.
 */
export async function runAgent(place: AgentPlace): Promise<number> {
  const study = new Study(place.root, say)
  let status = await readStatus(place.team)
  let previous = ''
  let stalls = 0
  for (;;) {
    if (status.state === 'complete') return FINISHED
    if (status.state === 'failed') return FAILED
    if (status.state === 'ready' || status.state === 'retired') return FINISHED
    // a person, or the teams, go on
    if (status.archetype === 'coordinator' && !['planning', 'gathering', 'paused'].includes(status.state))
      return FINISHED
    if (status.state === 'paused') {
      say('paused: nothing is done until the team is resumed')
      return FINISHED
    }
    const mission =
      status.mission === null
        ? undefined
        : readMission(status.mission.subject, status.mission.body, status.instructions)
    const refusal = refusalOf(status, mission)
    if (refusal !== undefined) {
      process.stderr.write(`${refusal}\n`)
      return REFUSED
    }
    if (mission === undefined) {
      process.stderr.write(`${place.team} has no mission yet: send it a directive first\n`)
      return FAILED
    }
    stalls = status.state === previous ? stalls + 1 : 0
    if (stalls >= MOST_STALLS) {
      process.stderr.write(`${place.team} stays in ${status.state} although its reports are accepted\n`)
      return FAILED
    }
    previous = status.state
    const outcome = await advance(place, status, mission, study)
    if (!('reason' in outcome)) {
      status = await statusAfter(status, outcome.state, place.team)
      continue
    }
    process.stderr.write(`${outcome.reason}\n`)
    if (outcome.refused) {
      // Paused or given new instructions meanwhile: then the refusal is no failure of the work.
      const now = await readStatus(place.team)
      const isElsewhere = now.state !== status.state
      status = now
      if (isElsewhere) continue
      // whose change that is fed asks a person; it is no failure of the work either
      if (isCodebaseChanged(now)) return FAILED
    }
    const alert = await fed('alert', outcome.alert, '--body', outcome.reason)
    if (alert.code !== 0) process.stderr.write(`${alert.stderr}\n`)
    return FAILED
  }
}

/**
 * The status after an accepted report, which says the new state itself. Before the document is written `fed` is
 * asked again, since instructions may have come that steer it.
 */
const statusAfter = async (
  before: TeamStatus,
  state: string | undefined,
  team: string,
): Promise<TeamStatus> =>
  state === undefined || state === before.state || state === 'aggregating'
    ? readStatus(team)
    : { ...before, state }

/** An accepted report; the state is what `fed` said that it led to. */
interface Progress {
  state: string | undefined
}

interface Problem {
  alert: 'information-missing' | 'source-inaccessible' | 'structure-undetermined'
  reason: string
  refused: boolean
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function refusalOf({ archetype, deliverable }: TeamStatus, mission: Mission | undefined): string | undefined {
  const why = whyUnsuited(archetype, deliverable) ?? mission?.refusal
  return why === undefined
    ? undefined
    : `fed-agent cannot do this: ${why}.\nIt has no language model and only surveys code; launch the team with another agent (--agent).`
}

/** Whether a milestone waits for nothing but a codebase that is as it was. */
function isCodebaseChanged({ accepts }: TeamStatus): boolean {
  return accepts.some(({ missing }) => missing.some((one) => one.startsWith('the codebase is as it was')))
}

/** The work of one state, ending with its milestone. */
async function advance(
  place: AgentPlace,
  status: TeamStatus,
  mission: Mission,
  study: Study,
): Promise<Problem | Progress> {
  switch (status.state) {
    case 'planning':
      return planGoal(place, mission, study)
    case 'gathering':
      return gather(place, status, mission)
    case 'onboarding':
      return mapDomain(study)
    case 'indexing':
      return indexDomain(place, status, mission, study)
    case 'researching':
      return answerAsked(status, study)
    case 'preparing':
      return prepare(place, mission, study)
    case 'scanning':
      return scan(place, status, mission, study)
    case 'distilling': {
      const insights = insightsOf(findingsOf(await study.survey(), mission))
      say('distilling what was found')
      return report('patterns-identified', insights, 'structure-undetermined')
    }
    case 'aggregating': {
      const markdown = renderReport(await study.survey(), mission)
      say(`writing ${status.deliverable}`)
      writeInto(place.workspace, status.deliverable, markdown)
      return report('document-written', `${status.deliverable} is written`, 'structure-undetermined')
    }
    default:
      return {
        alert: 'structure-undetermined',
        reason: `fed-agent does not know the state '${status.state}'`,
        refused: false,
      }
  }
}

/** Why nothing of the code can be read; undefined where it can. */
async function whyUnreadable(root: string): Promise<Problem | undefined> {
  if (await isRepository(root)) return undefined
  return {
    alert: 'source-inaccessible',
    reason: `${root} is no git repository, or git cannot read it`,
    refused: false,
  }
}

/** Splits the goal by the module graph: a task for each area. */
async function planGoal(
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
async function gather(
  { workspace }: AgentPlace,
  { deliverable }: TeamStatus,
  mission: Mission,
): Promise<Problem | Progress> {
  const { parts, missing } = await readParts(workspace)
  say(`gathering ${count(parts.length, 'document')}`)
  writeInto(workspace, deliverable, gatherParts(mission.text.split('\n')[0] ?? '', parts, missing))
  return report('result-gathered', `${deliverable} is written`, 'structure-undetermined')
}

function writeInto(workspace: string, name: string, text: string): void {
  replaceFile(path.join(workspace, name), text, path.join(workspace, '.fed'), { mode: WRITABLE })
}

async function report(milestone: string, body: string, alert: Problem['alert']): Promise<Problem | Progress> {
  const answer = await reportMilestone(milestone, body)
  return answer.code === 0
    ? { state: answer.state }
    : {
        alert,
        reason: `the report ${milestone} was not accepted: ${answer.stderr}`,
        refused: answer.code === 5,
      }
}

/** Plans from names alone: which of the mission's paths there are, and what stands at the top. */
async function prepare(
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

async function scan(
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
  const absent = isAsked ? absentFrom(found, mission.subject) : []
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

/** Logs what is worth remembering, each finding once. */
async function logFindings(
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

/** What a consultant's domain is: areas of the repository and their modules. */
async function mapDomain(study: Study): Promise<Problem | Progress> {
  const { areas } = areasOf(await study.survey())
  const told = areas.map(({ id, files }) => `${id} (${count(files.length, 'module')})`)
  say('mapping the domain')
  return report('domain-mapped', told.join(', ') || 'no code, documents alone', 'structure-undetermined')
}

async function indexDomain(
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

async function answerAsked({ question }: TeamStatus, study: Study): Promise<Problem | Progress> {
  say(`answering “${question?.subject ?? ''}”`)
  const text = answerQuestion(await study.survey(), question?.subject ?? '', question?.body ?? '')
  return report('answer', text, 'information-missing')
}
