import type { Config } from '../protocol/config.ts'
import type { VersionedDocument } from '../storage/versioned-document.ts'
import type { TeamRegistry } from '../registry/registry.ts'
import type { Mailbox } from '../signals/mailbox.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { Logic } from './logic.ts'

/** What an actor knows of the federation around it. */
export interface World {
  /** The codebase's root, absolute. */
  readonly root: string
  readonly config: Config
  readonly registry: TeamRegistry
  /** The mailbox of `meta` or of a registered team; undefined for anybody else. */
  mailboxOf(address: string): Mailbox | undefined
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
