import type { RegistryStatus } from '../protocol/registry-schema.ts'
import type { FiledSignal } from '../records/signals/mailbox.ts'

/** What a finding is about. */
export type FindingKind =
  /** The team's files are damaged or missing: nobody can step it. */
  | 'unreadable'
  /** Its machine ended in failure. */
  | 'failed'
  /** It is complete, and its deliverable is missing or empty. */
  | 'deliverable'
  /** It works, and nothing happened for ten minutes. */
  | 'late'
  /** Its last session ended with an error. */
  | 'session-error'
  /** Its last session died, and nobody recorded its end. */
  | 'session-died'
  /** Signals wait for longer than an hour. */
  | 'unacknowledged'
  /** Files were set aside that are no signals. */
  | 'quarantine'
  /** The registry and the lifecycle do not say the same. */
  | 'disagreement'
  /** Somebody is blocked and told meta, who has not acknowledged it. */
  | 'alert'
  /** What the federation's own hook found. */
  | 'hook'

/** Something that is not healthy. */
export interface HealthFinding {
  readonly kind: FindingKind
  /** A team, or `meta`. */
  readonly team: string
  /** What is wrong. */
  readonly message: string
  /** What to do next. */
  readonly fix: string
}

/** What the findings about a team depend on besides its own files. */
export interface Circumstances {
  readonly team: string
  readonly archetype: string
  readonly workspace: string
  /** Status in the registry. */
  readonly status: RegistryStatus | undefined
  /** File name of the deliverable. */
  readonly deliverable: string
  /** The agent of a launch for which none is chosen. */
  readonly usualAgent: string
  /** Milliseconds since the epoch. */
  readonly present: number
  /** What it has not acknowledged. */
  readonly waiting: readonly FiledSignal[]
}
