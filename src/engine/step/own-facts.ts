import type { OtherTeam, SignalFacts, TeamContext } from '../../../machines/team-event.ts'

/** What a function of an archetype's own is told. */
export interface OwnFacts {
  /** Absolute path of the federation's root. */
  readonly root: string
  readonly team: string
  /** Absolute path of the team's workspace. */
  readonly workspace: string
  /** What the team's machine remembers, as plain JSON. */
  readonly context: TeamContext
  readonly signal: SignalFacts
  /** The other teams that the mission names. */
  readonly others: Readonly<Record<string, OtherTeam>>
}
