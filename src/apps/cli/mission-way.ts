import { presentMs } from '../../protocol/clock.ts'
import type { Move } from '../../diagram/mission-path.ts'
import type { Team } from '../../federation/team.ts'

/** The way of a team's present mission so far. */
export interface MissionWay {
  /** Leaf state. */
  readonly state: string
  /** Milliseconds since the epoch: of the mission's first commit, and of now, or of its last when it is over. */
  readonly begun: number
  readonly until: number
  readonly moves: readonly Move[]
}

/**
 * What the commits of a team's present mission say of the way that it took.
 * @param present milliseconds since the epoch.
 */
export function missionOf(team: Team, present: number = presentMs()): MissionWay {
  const { lifecycle } = team.actor
  const { state, finished, missionNumber } = team.present()
  const commits = lifecycle
    .versions()
    .flatMap((version) => lifecycle.version(version) ?? [])
    // what a reset put away may not have moved yet
    .filter(({ mission }) => mission === missionNumber)
  const moves = commits.flatMap(({ at, handled }) =>
    handled
      .filter(({ outcome, from, to }) => outcome === 'accepted' && from !== to)
      .map(({ event, from, to }) => ({ at, event, from, to })),
  )
  const times = commits.map(({ at }) => Date.parse(at))
  const last = times.at(-1) ?? present
  return {
    state,
    begun: times[0] ?? present,
    until: finished ? Date.parse(moves.at(-1)?.at ?? '') || last : present,
    moves,
  }
}
