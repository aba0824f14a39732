import { fed, readStatus } from './fed-command.ts'
import type { TeamStatus } from './fed-command.ts'
import { readMission } from './read-mission.ts'
import type { Mission } from './read-mission.ts'
import { answerAsked, indexDomain, mapDomain } from './steps/consultant-steps.ts'
import { gather, planGoal } from './steps/coordinator-steps.ts'
import { distil, prepare, scan, write } from './steps/deliverable-steps.ts'
import { say } from './steps/survey-step.ts'
import type { AgentPlace, Problem, Progress } from './steps/survey-step.ts'
import { Study } from './study.ts'
import { whyUnsuited } from './why-unsuited.ts'

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
    case 'distilling':
      return distil(mission, study)
    case 'aggregating':
      return write(place, status, mission, study)
    default:
      return {
        alert: 'structure-undetermined',
        reason: `fed-agent does not know the state '${status.state}'`,
        refused: false,
      }
  }
}
