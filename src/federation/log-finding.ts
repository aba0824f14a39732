import type { OwnLearning } from '../protocol/learning.ts'
import { learn } from '../records/learnings/learning-log.ts'
import type { Team } from './team.ts'

/**
 * Adds a finding to a team's learning log. It is dated no earlier than the mission, so that it counts for the
 * mission even where the clock was set back.
 * @param at ISO 8601; with it, the same finding of that moment is logged once, however often this is called.
 * @throws {UsageError} naming every field that is wrong.
 */
export function learnFor(
  team: Team,
  finding: Pick<OwnLearning, 'category' | 'content' | 'tags' | 'confidence'>,
  at?: string,
): OwnLearning {
  const { mission } = team.present().context
  return learn(team.actor.workspace, { domain: team.id, ...finding }, { notBefore: mission?.at, at })
}
