import type { RegistryStatus } from '../protocol/registry-schema.ts'
import type { FiledSignal } from '../records/signals/mailbox.ts'

/** What a finding is about. */
export type FindingKind =
  /** The team's files are damaged or missing: it cannot be stepped. */
  | 'unreadable'
  /** The team's archetype comes with a hook that is not trusted: nobody knows where it stands. */
  | 'unknown'
  /** The team's machine ended in failure. */
  | 'failed'
  /** A team of the archetype `deliverable` is complete, and its document is missing or empty. */
  | 'deliverable'
  /** The team is working, and nothing happened for ten minutes. */
  | 'late'
  /** The team's last session ended with an error. */
  | 'session-error'
  /** The team's last session died, and nobody recorded its end. */
  | 'session-died'
  /** Signals have waited for more than an hour. */
  | 'unacknowledged'
  /** Files that are no signals were moved to the quarantine. */
  | 'quarantine'
  /** The registry and the lifecycle do not say the same. */
  | 'disagreement'
  /** An alert that a team sent to `meta` is not acknowledged yet. */
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
  /** Whether its archetype writes a document. */
  readonly delivers: boolean
  readonly workspace: string
  /** The team's status in the registry. */
  readonly status: RegistryStatus | undefined
  /** File name of the deliverable. */
  readonly deliverable: string
  /** Agent name or command of a launch for which none is chosen. */
  readonly usualAgent: string
  /** Milliseconds since the epoch. */
  readonly present: number
  /** Signals that the team has not acknowledged. */
  readonly waiting: readonly FiledSignal[]
}
