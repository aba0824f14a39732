import { FedError } from '../../errors/fed-error.ts'
import { COORDINATOR } from '../../engine/step/task-of-team.ts'
import type { Team } from '../../federation/team.ts'
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
    // without a language model it neither judges failures nor answers
    if (team.archetype.id === COORDINATOR && agentOf(team) === EMBEDDED_AGENT)
      return ['planning', 'gathering'].includes(state)
    return isAwaited || !hasNothingToDo(team) || openQuestions(team.actor).length > 0
  } catch (error) {
    // its launch tells what is wrong with it, beside the others
    if (error instanceof FedError) return true
    throw error
  }
}
