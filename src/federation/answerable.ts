import { isMissionDirective } from '../engine/step/reset.ts'
import { RefusedError } from '../errors/fed-error.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import type { Team } from './team.ts'

/**
 * Checks that somebody may answer a question: a team that has ended, or was put away, never would, and a consultant
 * only learns a domain that it was given.
 * @throws {RefusedError} with the reason and what would help.
 */
export function assertAnswerable(team: Team, { status }: RegistryEntry): void {
  const { id } = team
  const refuse = (why: string) => new RefusedError(`${id} ${why}; nothing was sent`)
  const { state, finished, context } = team.present()
  if (status === 'archived') {
    const back = finished
      ? `'fed restore ${id}' and 'fed launch --team ${id} --reset'`
      : `'fed restore ${id}'`
    throw refuse(`is archived and answers nobody: ${back} would help`)
  }
  if (finished) {
    throw refuse(
      `is ${state} and answers nobody: 'fed launch --team ${id} --reset' would begin a new mission`,
    )
  }
  // a mission that waits for its next step is one
  const hasMission =
    context.mission !== null ||
    team.mailbox.unacknowledged().some((signal) => isMissionDirective(signal, team.actor))
  if (team.takesQuestions() && !hasMission) {
    throw refuse(
      `has no mission, so that it knows nothing to answer with: 'fed send ${id} --type directive --subject "<mission>"' gives it one`,
    )
  }
}
