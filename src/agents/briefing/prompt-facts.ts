import type { TeamContext } from '../../../machines/team-event.ts'
import type { Archetype } from '../../federation/archetypes.ts'
import type { HistoryEntry } from '../../federation/history-of-missions.ts'
import type { TeamStatus } from '../../federation/team-status.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import type { Session } from '../sessions/session-record.ts'
import type { AgentProfile } from './agent-profile.ts'
import type { Peer } from '../../federation/goal/peers.ts'
import type { GoalFacts } from './goal-sections.ts'
import type { EarlierMission } from './earlier-mission.ts'
import type { OriginOf } from './words-of-others.ts'

/** A team's own branch. */
export interface Branch {
  readonly name: string
  /** Where it begins, and into which its work is to be merged. */
  readonly target: string
}

export interface PromptFacts {
  readonly status: TeamStatus
  /** What the agent has to read and acknowledge. */
  readonly mail: readonly FiledSignal[]
  readonly originOf: OriginOf
  readonly archetype: Archetype
  readonly profile: AgentProfile
  /** Whether the agent is given fed's tools beside the command. */
  readonly hasTools: boolean
  /** What the machine remembers: the plan, the insights, the commit that was tested. */
  readonly context: TeamContext
  /** File of the playbook among the skills. */
  readonly playbook: string
  /** Skill files that are there. */
  readonly skills: readonly string[]
  /** JSON Schema that the deliverable must meet, absolute. */
  readonly schema: string | undefined
  /** The session of this mission that ended before the mission did. */
  readonly lastSession: Session | undefined
  /** Milestones of this mission that were accepted. */
  readonly accepted: readonly Pick<HistoryEntry, 'event' | 'at'>[]
  /** The mission before this one. */
  readonly earlier: EarlierMission | undefined
  /** The goal that the team works for. */
  readonly goal: GoalFacts | undefined
  /** Other teams that it should know of. */
  readonly peers: readonly Peer[]
  /** Of a team that works in a worktree. */
  readonly branch: Branch | undefined
}
