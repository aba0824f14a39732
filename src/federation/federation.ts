import { mendBeforeSending } from '../engine/step/mend-outbox.ts'
import type { Actor, World } from '../engine/step/world.ts'
import { findOutLazily, tellHookLazily } from './hooks/hook-lazily.ts'
import type { Config } from '../protocol/config-schema.ts'
import type { RegistryEntry } from '../protocol/registry-schema.ts'
import { RefusedError } from '../errors/fed-error.ts'
import type { SignalMessage } from '../protocol/signal.ts'
import { META, teamIdSchema } from '../protocol/team-id.ts'
import { now } from '../protocol/time.ts'
import { noteSenders } from '../records/registry/last-active.ts'
import type { Known } from '../records/plan/plan-rules.ts'
import { TeamRegistry } from '../records/registry/team-registry.ts'
import { placeOfAbsent } from '../protocol/folder-layout.ts'
import { assertLivesHere, entriesElsewhere } from './elsewhere.ts'
import { assertMetaReaches, siteOf } from './site-of-team.ts'
import { compose, type SignalDraft } from '../records/signals/compose.ts'
import { Mailbox, type FiledSignal } from '../records/signals/mailbox.ts'
import { deliverAll } from '../records/signals/deliver.ts'
import { loadConfig } from '../records/config/load-config.ts'
import { assertAtHome, DisplacedRegistry, homeOf, type Home } from './federation-home.ts'
import type { Archetype } from './archetypes.ts'
import type { Catalogue } from './catalogue.ts'
import type { Onboarding } from './onboarding/onboard-team.ts'
import { isInItsPlace } from './place-of-team.ts'
import { findRoot } from './root.ts'
import type { Team } from './team.ts'

export interface FederationOptions {
  /** `read` also opens a federation that was moved or copied, in which nothing may be changed. */
  readonly use?: 'act' | 'read'
  /** Checks each change of the registry before it is written; throws to refuse it. See `openFederation`. */
  readonly judge?: ConstructorParameters<typeof TeamRegistry>[1]
}

/** What of a team can be read without its machine. */
export type Life = Pick<Actor, 'team' | 'workspace' | 'lifecycle' | 'mailbox'>

/**
 * A federation: configuration, registry, mailboxes and teams of one repository. What a short command does not
 * need (machines, onboarding) is loaded when it is asked for.
 */
export class Federation implements World {
  readonly root: string
  readonly config: Config
  readonly registry: TeamRegistry
  /** Whether it lies where it was set up. */
  readonly home: Home
  readonly tellHook = tellHookLazily
  readonly findOut = findOutLazily
  readonly #mailboxes: Map<string, Mailbox>
  readonly #teams = new Map<string, Team>()

  /** @throws {ConfigValidationError | DisplacedError | UnusablePlaceError} */
  constructor(root: string, { use = 'act', judge }: FederationOptions = {}) {
    this.home = use === 'act' ? assertAtHome(root) : homeOf(root)
    this.root = root
    this.config = loadConfig(root)
    this.registry =
      this.home.kind === 'here' ? new TeamRegistry(root, judge) : new DisplacedRegistry(this.home)
    this.#mailboxes = new Map([[META, new Mailbox(META, root)]])
  }

  /**
   * The mailbox of `meta` or of a registered team; for a team of another site the one from which its mail is sent on;
   * undefined for anybody else. A mailbox is looked up in the registry once, because a team's workspace does not move
   * while the federation is open.
   */
  mailboxOf(address: string): Mailbox | undefined {
    const known = this.#mailboxes.get(address)
    // one that went to another site left its place
    if (known !== undefined && (address === META || known.isThere())) return known
    const entry = this.registry.read().teams.find(({ domainId }) => domainId === address)
    if (entry === undefined) return this.#mailboxElsewhere(address)
    const mailbox = new Mailbox(address, entry.location)
    this.#mailboxes.set(address, mailbox)
    return mailbox
  }

  /** The other sites' teams, each with the place that stands for it here; none in a federation that is not linked. */
  elsewhere(): readonly RegistryEntry[] {
    return entriesElsewhere(this.root)
  }

  #isHere(address: string): boolean {
    return (
      this.#mailboxes.has(address) || this.registry.read().teams.some(({ domainId }) => domainId === address)
    )
  }

  #mailboxElsewhere(address: string): Mailbox | undefined {
    if (siteOf(this.root, address) === undefined) return undefined
    // not kept: it may come to live here
    const mailbox = new Mailbox(address, placeOfAbsent(this.root, address))
    if (!mailbox.isThere()) mailbox.create()
    return mailbox
  }

  /**
   * The address for what somebody typed. A word of a-z, 0-9 and `-` is taken for an address as it is;
   * anything else is looked up among the names that people call teams (`domain`). Where no team has that name
   * it is returned unchanged, and whoever uses it refuses it.
   */
  addressOf(named: string): string {
    if (teamIdSchema.safeParse(named).success) return named
    return this.registry.read().teams.find(({ domain }) => domain === named)?.domainId ?? named
  }

  /**
   * The mailbox of `meta` or of a team.
   * @throws {TeamNotFoundError}
   */
  mailbox(address: string): Mailbox {
    return this.mailboxOf(address) ?? new Mailbox(address, this.registry.entry(address).location)
  }

  async knownToPlans(): Promise<Known> {
    const { knownToPlans } = await import('./known-to-plans.ts')
    return knownToPlans(await this.archetypes(), this.config.agents)
  }

  /** Sends one signal; returns it as filed, durable. See `sendMany`. */
  async send(draft: SignalDraft): Promise<FiledSignal> {
    const [filed] = await this.sendMany([draft])
    return filed as FiledSignal
  }

  /**
   * Sends signals with one durability round for all (spec §4.3). The registry notes that their senders are
   * active.
   * @throws {UsageError} naming every wrong field of a draft, {TeamNotFoundError} for an unknown address;
   * nothing was sent then.
   */
  async sendMany(drafts: readonly SignalDraft[]): Promise<FiledSignal[]> {
    const signals = drafts.map(compose)
    for (const { from, to } of signals)
      if (from === META && !this.#isHere(to)) assertMetaReaches(this.root, to)
    const senders = new Set(signals.map(({ from }) => from))
    // many signals have few addresses, and each look at a mailbox asks the disk
    const addresses = new Set(signals.flatMap(({ from, to }) => [from, to]))
    const mailboxes = new Map([...addresses].map((address) => [address, this.mailbox(address)]))
    const mailboxOf = (address: string) => mailboxes.get(address) as Mailbox
    for (const sender of senders) mendBeforeSending(this, mailboxOf(sender))
    const filed = await deliverAll(
      signals.map((signal, index) => ({
        signal,
        from: mailboxOf(signal.from),
        to: mailboxOf(signal.to),
        isNew: drafts[index]?.id === undefined,
      })),
    )
    noteSenders(this.registry, senders, timeOf(signals))
    return filed
  }

  /**
   * A registered team with its machine loaded.
   * @throws {TeamNotFoundError}; {RefusedError} for one that lives at another site.
   */
  async team(id: string): Promise<Team> {
    if (!this.registry.read().teams.some(({ domainId }) => domainId === id)) assertLivesHere(this.root, id)
    return this.openEntry(this.registry.entry(id))
  }

  /** The team of an entry of the registry, with its machine loaded. */
  async openEntry(entry: RegistryEntry): Promise<Team> {
    const open = await this.opener([entry])
    return open(entry)
  }

  /**
   * Every archetype that a team can have; loads the federation's hook, where one is configured.
   * @throws {HookError} when that cannot be used.
   */
  async archetypes(): Promise<Catalogue> {
    const { importHook } = this.config
    const { Catalogue: CatalogueClass, builtIn } = await import('./catalogue.ts')
    if (importHook === undefined) return builtIn
    const { loadHook } = await import('./hooks/load-hook.ts')
    return new CatalogueClass((await loadHook(this.root, importHook)).archetypes)
  }

  /**
   * An archetype by its id; without one, the usual one. The hook is loaded only for an archetype that does
   * not ship with fed.
   * @throws {UsageError | HookError}
   */
  async archetype(named?: string): Promise<Archetype> {
    const { builtIn, usualArchetype } = await import('./catalogue.ts')
    const id = named ?? usualArchetype
    return builtIn.find(id) ?? (await this.archetypes()).of(id)
  }

  /**
   * Makes a function from id to archetype, for the teams of these entries. Where the hook cannot be loaded,
   * that function throws for archetypes that do not ship with fed, and works for the others.
   */
  async #kindsOf(entries: readonly RegistryEntry[]): Promise<(id: string) => Archetype> {
    const { builtIn } = await import('./catalogue.ts')
    if (entries.every(({ archetypeId }) => builtIn.find(archetypeId) !== undefined))
      return (id) => builtIn.of(id)
    try {
      const all = await this.archetypes()
      return (id) => all.of(id)
    } catch (error) {
      return (id) => {
        const archetype = builtIn.find(id)
        if (archetype === undefined) throw error
        return archetype
      }
    }
  }

  /** A team as its files tell of it: its archetype need not be known, and it may live at another site. */
  async lifeOf(id: string): Promise<Life> {
    const absent = this.elsewhere().find(({ domainId }) => domainId === id)
    const { domainId: team, location: workspace } = absent ?? this.registry.entry(id)
    const { lifecycleDocument } = await import('../engine/step/lifecycle-document.ts')
    return { team, workspace, lifecycle: lifecycleDocument(workspace), mailbox: new Mailbox(team, workspace) }
  }

  /**
   * Loads what teams are made of, once for all of them.
   * @param entries the teams that will be opened; without it, all teams.
   * @returns a function that opens the team of an entry without waiting.
   */
  async opener(
    entries: readonly RegistryEntry[] = this.registry.read().teams,
  ): Promise<(entry: RegistryEntry) => Team> {
    const [{ Team: TeamClass }, { lifecycleDocument }, kind] = await Promise.all([
      import('./team.ts'),
      import('../engine/step/lifecycle-document.ts'),
      this.#kindsOf(entries),
    ])
    return (entry) => {
      const { domainId: id, archetypeId, location, coordinator } = entry
      const known = this.#teams.get(id)
      if (
        known?.actor.workspace === location &&
        known.actor.archetype === archetypeId &&
        known.actor.coordinator === coordinator
      )
        return known
      // another federation's team lives by that one's rules
      if (!isInItsPlace(this.root, entry))
        throw new RefusedError(
          `the registry says that ${id} lives in ${location}, where this federation puts no team; 'fed doctor' says more`,
        )
      const mailbox = new Mailbox(id, location)
      const archetype = kind(archetypeId)
      const team = new TeamClass(
        {
          team: id,
          coordinator,
          archetype: archetypeId,
          logic: archetype.logic,
          workspace: location,
          lifecycle: lifecycleDocument(location),
          mailbox,
          world: this,
        },
        archetype,
      )
      this.#teams.set(id, team)
      this.#mailboxes.set(id, mailbox)
      return team
    }
  }

  /** Creates a team; see `onboard`. */
  async onboard(onboarding: Onboarding): Promise<Team> {
    const { importHook } = this.config
    const [{ onboard }, archetype] = await Promise.all([
      import('./onboarding/onboard-team.ts'),
      this.archetype(onboarding.archetype),
    ])
    if (importHook !== undefined) {
      const { initializeByHook } = await import('./hooks/initialize.ts')
      await initializeByHook(this.root, importHook, false)
    }
    return this.openEntry(onboard(this.root, this.registry, { ...onboarding, archetype }))
  }

  /** Drops what is cached of a team that was taken out of the federation: another team may get its name. */
  forget(id: string): void {
    this.#teams.delete(id)
    this.#mailboxes.delete(id)
  }
}

/** When these were sent: as the youngest says, unless its time is another's, as an answer has that of its question. */
function timeOf(signals: readonly SignalMessage[]): string {
  const present = now()
  const youngest = signals
    .map(({ timestamp }) => timestamp)
    .toSorted((a, b) => Date.parse(b) - Date.parse(a))[0]
  const ageMs = Date.parse(present) - Date.parse(youngest ?? present)
  return youngest === undefined || ageMs < 0 || ageMs > 1000 ? present : youngest
}

/**
 * Opens the federation of a folder or of one above it. Its registry takes no status that a team's machine
 * does not allow.
 * @throws {FederationNotFoundError | ConfigValidationError}; {DisplacedError} when it was moved or copied.
 * @example
 * const federation = await openFederation(process.cwd())
 * await federation.send({ from: 'meta', to: 'docs', type: 'directive', subject: 'Document the storage', body: '' })
 */
export async function openFederation(dir: string = process.cwd()): Promise<Federation> {
  const { assertLawfulStatuses } = await import('./lawful-status.ts')
  return new Federation(findRoot(dir).root, { judge: assertLawfulStatuses })
}
