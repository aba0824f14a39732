import type { CoordinatorContext } from '../../../machines/coordinator.ts'
import { lostInputs } from '../../engine/step/goal-evidence.ts'
import { FedError } from '../../errors/fed-error.ts'
import { COORDINATOR } from '../../engine/step/task-of-team.ts'
import type { Team } from '../../federation/team.ts'
import { agentMeant } from '../../protocol/agent-names.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import { agentOf } from '../sessions/agent-of-team.ts'
import { openQuestions } from '../sessions/open-questions.ts'
import { hasNothingToDo } from '../sessions/unread-mail.ts'

/**
 * Whether a team has something for an agent to do: a mission, an answer, a question, changes that are asked for.
 * @param isAwaited whether one counts that has nothing to do yet.
 */
export async function wantsAgent(team: Team, isAwaited = false): Promise<boolean> {
  try {
    const { finished, paused, context, state } = await team.stepped()
    if (finished || paused || context.mission === null) return false
    // what is lost is a person's to put back
    if (state === 'gathering' && lostInputs(team.actor, context as CoordinatorContext).length > 0)
      return false
    // without a language model it neither judges failures nor answers
    const agent = agentMeant(team.actor.world.config.agents, agentOf(team))
    if (team.archetype.id === COORDINATOR && agent === EMBEDDED_AGENT)
      return ['planning', 'gathering'].includes(state)
    return isAwaited || !hasNothingToDo(team) || openQuestions(team.actor).length > 0
  } catch (error) {
    // its launch tells what is wrong with it, beside the others
    if (error instanceof FedError) return true
    throw error
  }
}
