import type { World } from './actors/world.ts'
import { TeamNotFoundError } from './errors.ts'
import type { CycleReport } from './monitor/cycle.ts'
import type { Config } from './protocol/config.ts'
import type { RegistryEntry } from './protocol/registry.ts'
import { META } from './protocol/team-id.ts'
import { now } from './protocol/time.ts'
import { TeamRegistry } from './registry/registry.ts'
import { compose, type SignalDraft } from './signals/compose.ts'
import { Mailbox, type FiledSignal } from './signals/mailbox.ts'
import { deliverAll } from './signals/send.ts'
import { loadConfig } from './teams/config.ts'
import type { Onboarding } from './teams/onboard.ts'
import { findRoot } from './teams/root.ts'
import type { Team } from './teams/team.ts'
import { TeamHandle } from './teams/team-handle.ts'

/** A team's activity is noted in the registry at most this often, so that sending stays cheap. */
const activityGrainMs = 60_000

/**
 * A federation: configuration, registry, mailboxes and teams of one repository. What a short command does not
 * need (machines, onboarding) is loaded when it is asked for.
 */
export class Federation implements World {
  readonly root: string
  readonly config: Config
  readonly registry: TeamRegistry

  constructor(root: string) {
    this.root = root
    this.config = loadConfig(root)
    this.registry = new TeamRegistry(root)
  }

  mailboxOf(address: string): Mailbox | undefined {
    if (address === META) return new Mailbox(META, this.root)
    const entry = this.registry.read().teams.find(({ domainId }) => domainId === address)
    return entry === undefined ? undefined : new Mailbox(address, entry.location)
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
    const entries = new Map(this.registry.read().teams.map((entry) => [entry.domainId, entry]))
    const mailboxOf = (address: string): Mailbox => {
      if (address === META) return new Mailbox(META, this.root)
      const entry = entries.get(address)
      if (entry === undefined) throw new TeamNotFoundError(address, [...entries.keys()])
      return new Mailbox(address, entry.location)
    }
    const signals = drafts.map(compose)
    const filed = deliverAll(
      signals.map((signal) => ({ signal, from: mailboxOf(signal.from), to: mailboxOf(signal.to) })),
    )
    for (const sender of new Set(signals.map(({ from }) => from))) this.#noteActivity(entries.get(sender))
    return filed
  }

  #noteActivity(entry: RegistryEntry | undefined): void {
    if (
      entry === undefined ||
      Date.now() - Date.parse(entry.lastActive ?? entry.onboardedAt) < activityGrainMs
    )
      return
    this.registry.updateEntry(entry.domainId, (present) => ({ ...present, lastActive: now() }))
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
    const entry = this.registry.entry(id)
    const [{ Team: TeamClass }, { archetypeOf }] = await Promise.all([
      import('./teams/team.ts'),
      import('./teams/archetypes.ts'),
    ])
    return new TeamClass({
      team: id,
      archetype: entry.archetypeId,
      logic: archetypeOf(entry.archetypeId).logic,
      workspace: entry.location,
      mailbox: new Mailbox(id, entry.location),
      world: this,
    })
  }

  /** One monitoring cycle: every team is stepped. */
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
