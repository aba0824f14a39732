import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import type { OwnFinding } from '../../../machines/team-event.ts'
import type { Config } from '../../protocol/config-schema.ts'
import type { VersionedDocument } from '../../platform/storage/versioned-document.ts'
import type { Known } from '../../records/plan/plan-rules.ts'
import type { TeamRegistry } from '../../records/registry/team-registry.ts'
import type { Mailbox } from '../../records/signals/mailbox.ts'
import type { Lifecycle } from '../decide/lifecycle.ts'
import type { OwnFacts } from './own-facts.ts'
import type { Logic } from '../decide/judge.ts'

/** What the engine needs of the federation in which it steps a team. */
export interface World {
  /** The federation's root, absolute. */
  readonly root: string
  readonly config: Config
  readonly registry: TeamRegistry
  /** The mailbox of `meta` or of a registered team; undefined for anybody else. */
  mailboxOf(address: string): Mailbox | undefined
  /** Teams that live at other sites, each with the place that stands for it here. */
  elsewhere(): readonly RegistryEntry[]
  /** What a plan may name. */
  knownToPlans(): Promise<Known>
  /** Asks a function of an archetype's own; whatever it does, there is an answer that a history can keep. */
  findOut(actor: Actor, name: string, facts: OwnFacts): Promise<OwnFinding>
  /**
   * Tells the federation's hook what a commit handled, at least once, and then records that the commit's
   * effects were carried out. Errors of the hook are recorded for people, and stop nobody.
   */
  tellHook(actor: Actor, commit: Lifecycle, mark: Mark): Promise<void>
}

/** The entries of all teams of the federation, those of other sites after its own. */
export function allEntries(world: Pick<World, 'registry' | 'elsewhere'>): RegistryEntry[] {
  return [...world.registry.read().teams, ...world.elsewhere()]
}

/** Tells and records whether the effects of a commit were carried out. */
export interface Mark {
  isFinished(): boolean
  finish(): void
}

/** What the engine needs of one team to step it. */
export interface Actor {
  /** Id of the team. */
  readonly team: string
  /** Id of the team that coordinates it, as the registry says. */
  readonly coordinator: string | undefined
  /** Id of its archetype. */
  readonly archetype: string
  readonly logic: Logic
  /** Absolute path of its workspace. */
  readonly workspace: string
  readonly lifecycle: VersionedDocument<Lifecycle>
  readonly mailbox: Mailbox
  readonly world: World
}
