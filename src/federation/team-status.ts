import type { Question, TeamContext } from '../../machines/team-event.ts'
import type { Acceptance } from '../engine/step/acceptance.ts'
import type { Proof } from '../engine/step/proof.ts'
import type { RegistryStatus } from '../protocol/registry-schema.ts'

/** Where a team stands; what `fed status T --json` prints. */
export interface TeamStatus {
  readonly team: string
  /** What people call it; most often the same. */
  readonly domain: string
  readonly archetype: string
  /** Agent that a launch starts unless it is told another: the team's own, or the configured one. */
  readonly agent: string
  /** Leaf state of its machine. */
  readonly state: string
  readonly accepts: readonly Acceptance[]
  /** Status in the registry. */
  readonly status: RegistryStatus
  readonly finished: boolean
  /** When it was entered, ISO 8601. */
  readonly since: string
  readonly version: number
  /** Counts the missions that were begun, from 1. */
  readonly missionNumber: number
  readonly mission: TeamContext['mission']
  /** Branch into which the mission's work is to be merged; null where there is none. */
  readonly target: string | null
  readonly instructions: TeamContext['instructions']
  readonly failure: TeamContext['failure']
  /** What a consultant is asked, null when nothing. */
  readonly question: Question | null
  /** Whether the state waits for somebody else, and no agent has anything to do in it. */
  readonly waits: boolean
  /** How its work is proved, and how far it is; null for a team that needs no tests. */
  readonly checks: Proof | null
  readonly mailbox: {
    readonly unacknowledged: number
    /** Signals that lie here but are for somebody else. */
    readonly misaddressed: number
    readonly quarantined: number
  }
  readonly workspace: string
  /** File name of the deliverable in the workspace. */
  readonly deliverable: string
}
