import type { Config } from '../../protocol/config-schema.ts'
import type { VersionedDocument } from '../../platform/storage/versioned-document.ts'
import type { TeamRegistry } from '../../records/registry/team-registry.ts'
import type { Mailbox } from '../../records/signals/mailbox.ts'
import type { Lifecycle } from '../decide/lifecycle.ts'
import type { Logic } from '../decide/logic.ts'

/** What an actor knows of the federation around it. */
export interface World {
  /** The codebase's root, absolute. */
  readonly root: string
  readonly config: Config
  readonly registry: TeamRegistry
  /** The mailbox of `meta` or of a registered team; undefined for anybody else. */
  mailboxOf(address: string): Mailbox | undefined
  /**
   * Tells the federation's hook what a commit handled, at least once, and marks the commit's effects as done then.
   * What the hook does wrong is told to people, and stops nobody.
   */
  tellHook(actor: Actor, commit: Lifecycle, mark: Mark): Promise<void>
}

/** The mark by which a commit's effects are done. */
export interface Mark {
  isFinished(): boolean
  finish(): void
}

/** One team as the actor system steps it. */
export interface Actor {
  readonly team: string
  readonly archetype: string
  readonly logic: Logic
  /** Absolute path of its workspace. */
  readonly workspace: string
  readonly lifecycle: VersionedDocument<Lifecycle>
  readonly mailbox: Mailbox
  readonly world: World
}
