import type { OwnLearning } from '../protocol/learning.ts'
import { learn } from '../records/learnings/learning-log.ts'
import type { Team } from './team.ts'

/**
 * Adds a finding to a team's learning log. What is found in a mission is not older than it, whatever the clock
 * says: it must count for it.
 * @throws {UsageError} naming every field that is wrong.
 */
export function learnFor(
  team: Team,
  finding: Pick<OwnLearning, 'category' | 'content' | 'tags' | 'confidence'>,
): OwnLearning {
  const { mission } = team.present().context
  return learn(team.actor.workspace, { domain: team.id, ...finding }, mission?.at)
}
