import type { World } from './actors/world.ts'
import type { CycleReport } from './monitor/cycle.ts'
import type { Config } from './protocol/config.ts'
import type { RegistryEntry } from './protocol/registry.ts'
import { META } from './protocol/team-id.ts'
import { TeamRegistry } from './registry/registry.ts'
import { compose, type SignalDraft } from './signals/compose.ts'
import { Mailbox, type FiledSignal } from './signals/mailbox.ts'
import { deliverAll } from './signals/send.ts'
import { loadConfig } from './teams/config.ts'
import type { Onboarding } from './teams/onboard.ts'
import { findRoot } from './teams/root.ts'
import type { Team } from './teams/team.ts'
import { TeamHandle } from './teams/team-handle.ts'

/**
 * A federation: configuration, registry, mailboxes and teams of one repository. What a short command does not
 * need (machines, onboarding) is loaded when it is asked for.
 */
export class Federation implements World {
  readonly root: string
  readonly config: Config
  readonly registry: TeamRegistry
  readonly #mailboxes: Map<string, Mailbox>
  readonly #teams = new Map<string, Team>()

  constructor(root: string) {
    this.root = root
    this.config = loadConfig(root)
    this.registry = new TeamRegistry(root)
    this.#mailboxes = new Map([[META, new Mailbox(META, root)]])
  }

  /** Asks the registry only for addresses that it did not know before: a team's workspace never moves. */
  mailboxOf(address: string): Mailbox | undefined {
    const known = this.#mailboxes.get(address)
    if (known !== undefined) return known
    const entry = this.registry.read().teams.find(({ domainId }) => domainId === address)
    if (entry === undefined) return undefined
    const mailbox = new Mailbox(address, entry.location)
    this.#mailboxes.set(address, mailbox)
    return mailbox
  }

  /**
   * The mailbox of `meta` or of a team.
   * @throws {TeamNotFoundError}
   */
  mailbox(address: string): Mailbox {
    return this.mailboxOf(address) ?? new Mailbox(address, this.registry.entry(address).location)
  }

  /** Sends one signal; returns it as filed, durable. See `sendMany`. */
  async send(draft: SignalDraft): Promise<FiledSignal> {
    const [filed] = await this.sendMany([draft])
    return filed as FiledSignal
  }

  /**
   * Sends signals with one durability round for all (spec §4.3).
   * @throws {UsageError} naming every wrong field of a draft, {TeamNotFoundError} for an unknown address;
   * nothing was sent then.
   */
  async sendMany(drafts: readonly SignalDraft[]): Promise<FiledSignal[]> {
    const signals = drafts.map(compose)
    return deliverAll(
      signals.map((signal, index) => ({
        signal,
        from: this.mailbox(signal.from),
        to: this.mailbox(signal.to),
        isNew: drafts[index]?.id === undefined,
      })),
    )
  }

  /** A team by its name: `await federation.team('docs').status()`. */
  team(id: string): TeamHandle {
    return new TeamHandle(id, () => this.openTeam(id))
  }

  /**
   * A registered team with its machine loaded.
   * @throws {TeamNotFoundError}
   */
  async openTeam(id: string): Promise<Team> {
    return this.openEntry(this.registry.entry(id))
  }

  /** The same for an entry of the registry. */
  async openEntry(entry: RegistryEntry): Promise<Team> {
    const open = await this.opener()
    return open(entry)
  }

  /** Loads what teams are made of, once for all of them; what it returns opens a team without waiting. */
  async opener(): Promise<(entry: RegistryEntry) => Team> {
    const [{ Team: TeamClass }, { archetypeOf }, { lifecycleDocument }] = await Promise.all([
      import('./teams/team.ts'),
      import('./teams/archetypes.ts'),
      import('./actors/lifecycle.ts'),
    ])
    return ({ domainId: id, archetypeId, location }) => {
      const known = this.#teams.get(id)
      if (known?.actor.workspace === location && known.actor.archetype === archetypeId) return known
      const mailbox = new Mailbox(id, location)
      const team = new TeamClass({
        team: id,
        archetype: archetypeId,
        logic: archetypeOf(archetypeId).logic,
        workspace: location,
        lifecycle: lifecycleDocument(location),
        mailbox,
        world: this,
      })
      this.#teams.set(id, team)
      this.#mailboxes.set(id, mailbox)
      return team
    }
  }

  /**
   * One monitoring cycle (spec §4.4): steps every team, acknowledges meta's reports, notes in one write of the
   * registry what changed, and tells what is not healthy.
   */
  async monitor(): Promise<CycleReport> {
    const { runCycle } = await import('./monitor/cycle.ts')
    return runCycle(this)
  }

  /** Creates a team; see `onboard`. */
  async onboard(onboarding: Onboarding): Promise<Team> {
    const { onboard } = await import('./teams/onboard.ts')
    onboard(this.root, this.registry, onboarding)
    return this.openTeam(onboarding.domain)
  }
}

/**
 * Opens the federation of a folder or of one above it.
 * @throws {FederationNotFoundError | ConfigValidationError}
 * @example
 * const federation = await openFederation(process.cwd())
 * await federation.send({ from: 'meta', to: 'docs', type: 'directive', subject: 'Document the storage', body: '' })
 */
export async function openFederation(dir: string = process.cwd()): Promise<Federation> {
  return new Federation(findRoot(dir).root)
}
