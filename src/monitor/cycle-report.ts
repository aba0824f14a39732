import type { RegistryStatus } from '../protocol/registry-schema.ts'
import type { FiledSignal } from '../records/signals/mailbox.ts'
import type { TeamElsewhere } from '../federation/elsewhere.ts'
import type { HealthFinding } from './health-finding.ts'
import type { TeamReport } from './team-report.ts'

/** What one monitoring cycle did and found. */
export interface CycleReport {
  /** ISO 8601. */
  readonly at: string
  /** Whether nothing is wrong with any team or with meta's mail. */
  readonly healthy: boolean
  /** In the registry's order. */
  readonly teams: readonly TeamReport[]
  /** What is not healthy: about meta's mail first, then by team. */
  readonly findings: readonly HealthFinding[]
  /** Where the registry said something else than the lifecycle, and says the same now. */
  readonly settled: readonly Settled[]
  /** What meta had not acknowledged: alerts, questions, directives, and the reports, which the cycle acknowledged. */
  readonly mail: readonly FiledSignal[]
  /** Signals of the meta coordinator that stay unacknowledged. */
  readonly inbox: number
  /** Teams that live at other sites, as this one knows them; left out in a federation that is not linked. */
  readonly elsewhere?: readonly TeamElsewhere[]
  /** Why its summary does not reach the chat, where it should, as a sentence. */
  readonly chat?: string
}

/** A status in the registry that a cycle put right. */
export interface Settled {
  readonly team: string
  readonly from: RegistryStatus
  readonly to: RegistryStatus
}
