import type { Act } from './counted-process.ts'
import type { FederationFacts } from './federation-facts.ts'

/** Something that a process does, is killed in, and that must be found in order afterwards. */
export interface Scenario {
  readonly name: string
  /** Makes what the act finds, below a root that does not exist yet. */
  prepare(root: string): Promise<void>
  act(root: string): Act
  /** How the act may end when nothing disturbs it; 0 unless told otherwise. */
  readonly ends?: number
  /** How the same command may end when it is given again after a kill; 0 is always right. */
  readonly again?: readonly number[]
  /** What whoever gave the command was told: asked as soon as it printed anything, whatever came then. */
  told?(stdout: string, now: FederationFacts, before: FederationFacts): Iterable<string>
  /** What must be so in the end, when the command was given once more. */
  end?(now: FederationFacts, before: FederationFacts): Iterable<string>
  /** It starts processes of its own, so that the number of its calls varies. */
  readonly varies?: boolean
}
