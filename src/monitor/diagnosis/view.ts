import { existsSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { lifecycleDocument } from '../../engine/step/lifecycle-document.ts'
import type { Actor, World } from '../../engine/step/world.ts'
import { ConfigValidationError, CorruptDocumentError, HookError } from '../../errors/document-errors.ts'
import { FedError } from '../../errors/fed-error.ts'
import { UntrustedError } from '../../errors/untrusted-error.ts'
import { FederationNotFoundError } from '../../errors/team-errors.ts'
import { knownToPlans } from '../../federation/known-to-plans.ts'
import { findOutLazily, tellHookLazily } from '../../federation/hooks/hook-lazily.ts'
import { gitOrNothing } from '../../platform/git/git.ts'
import { configSchema } from '../../protocol/config-schema.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { problemsOf } from '../../protocol/problems.ts'
import { registrySchema, type Registry, type RegistryEntry } from '../../protocol/registry-schema.ts'
import { META } from '../../protocol/team-id.ts'
import { TeamRegistry } from '../../records/registry/team-registry.ts'
import { Mailbox } from '../../records/signals/mailbox.ts'
import { linkFault } from '../../platform/storage/hard-links.ts'
import { VersionedDocument } from '../../platform/storage/versioned-document.ts'
import { versionsDirectory } from '../../platform/storage/versioned-steps.ts'
import { builtIn, Catalogue } from '../../federation/catalogue.ts'
import { loadConfig } from '../../records/config/load-config.ts'
import { homeOf, placedHere, placeFault, type Home } from '../../federation/federation-home.ts'
import { entriesElsewhere } from '../../federation/elsewhere.ts'
import { isInItsPlace } from '../../federation/place-of-team.ts'
import { findRoot } from '../../federation/root.ts'
import { lookAt } from './document-look.ts'
import type { Area, Found } from './finding.ts'

/** A federation as far as it can be read, even one that no command would open. */
export interface View extends World {
  readonly registryDocument: VersionedDocument<Registry>
  /** Whether the federation lies where it was set up; `here` also where that cannot be read. */
  readonly home: Home
  /** Why the configuration cannot be read; `config` holds the defaults then. */
  readonly configFault: ConfigValidationError | undefined
  /** Registered teams with their places here; of the newest whole version if the registry is unreadable. */
  readonly registered: readonly RegistryEntry[]
  /** Registered teams whose workspace is where fed put it, or gone; other folders are left alone. */
  readonly entries: readonly RegistryEntry[]
  /** The built-in archetypes, and those of the hook where it can be used. */
  readonly archetypes: Catalogue
  /** Why the hook cannot be used. */
  readonly hookFault: HookError | UntrustedError | undefined
  /** Whether commands can open the federation at all. */
  readonly isOpen: boolean
}

/**
 * Root of the federation that a folder is in, also where its registry or a workspace's identity is damaged.
 * Where there is none, and none can be set up, the top of the repository, so that the checks tell why.
 * @throws {FederationNotFoundError} in all other cases.
 */
export function findDamagedRoot(from: string): string {
  try {
    return findRoot(from).root
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    // a federation around the repository is another one
    if (error instanceof FederationNotFoundError && error.outer !== undefined)
      return whereNothingCanBe(from, error)
    for (let dir = path.resolve(from); ; dir = path.dirname(dir)) {
      // a worktree holds a copy of the configuration, and is no federation
      const isWorkspace = /^\.fed[/\\](?:teams|worktrees)$/.test(
        path.relative(path.dirname(path.dirname(path.dirname(dir))), path.dirname(dir)),
      )
      const { config, registry } = federationLayout(dir)
      const isRoot = [config, registry, versionsDirectory(registry)].some((file) => existsSync(file))
      if (isRoot && !isWorkspace) return dir
      if (path.dirname(dir) === dir) return whereNothingCanBe(from)
    }
  }
}

/** Top of the repository, if no federation can be set up there: the checks tell why. Else throws `fault`. */
function whereNothingCanBe(from: string, fault = new FederationNotFoundError(path.resolve(from))): string {
  const root = gitOrNothing(from, 'rev-parse', '--show-toplevel')
  if (root !== undefined && (placeFault(root) ?? linkFault(federationLayout(root).fed)) !== undefined)
    return root
  throw fault
}

/** A federation as far as it can be read, with the built-in archetypes only. */
export function admit(root: string): View {
  const registryDocument = new VersionedDocument<Registry>({
    file: federationLayout(root).registry,
    versionField: 'lockVersion',
    decode(json, file) {
      const parsed = registrySchema.safeParse(json)
      if (parsed.success) return parsed.data
      throw new ConfigValidationError(file, problemsOf(parsed.error))
    },
    handEdits: 'keep',
  })
  const { registry, isReadable } = registryOf(registryDocument)
  const { config, configFault } = configOf(root)
  const home = homeIn(root)
  const teams = registry?.teams ?? []
  const registered = home.kind === 'here' ? teams : teams.map((entry) => placedHere(home, entry))
  return {
    root,
    home,
    config,
    configFault,
    registryDocument,
    registry: new TeamRegistry(root),
    registered,
    entries: registered.filter((entry) => !existsSync(entry.location) || isInItsPlace(root, entry)),
    archetypes: builtIn,
    hookFault: undefined,
    isOpen: isReadable && configFault === undefined,
    tellHook: tellHookLazily,
    findOut: findOutLazily,
    elsewhere: () => entriesElsewhere(root),
    // a look carries no plan out
    knownToPlans: () => Promise.resolve(knownToPlans(builtIn)),
    mailboxOf(address) {
      if (address === META) return new Mailbox(META, root)
      const entry = registered.find(({ domainId }) => domainId === address)
      return entry && new Mailbox(address, entry.location)
    },
  }
}

/** A view with the archetypes of its hook, or with why the hook cannot be used. */
export async function withOwnArchetypes(view: View): Promise<View> {
  const { root, config } = view
  if (config.importHook === undefined) return view
  const { loadHook } = await import('../../federation/hooks/load-hook.ts')
  try {
    const { archetypes } = await loadHook(root, config.importHook)
    return { ...view, archetypes: new Catalogue(archetypes) }
  } catch (error) {
    if (!(error instanceof HookError || error instanceof UntrustedError)) throw error
    return { ...view, hookFault: error }
  }
}

/** Where the federation lies; `here` where that cannot be read, which a check of its own finds. */
function homeIn(root: string): Home {
  return unless([FedError, isFileError], () => homeOf(root)) ?? { kind: 'here' }
}

function configOf(root: string): Pick<View, 'config' | 'configFault'> {
  try {
    return { config: loadConfig(root), configFault: undefined }
  } catch (error) {
    if (!(error instanceof ConfigValidationError)) throw error
    return { config: configSchema.parse({}), configFault: error }
  }
}

function registryOf(document: VersionedDocument<Registry>) {
  return (
    unless([FedError, isFileError], () => ({ registry: document.read()?.content, isReadable: true })) ?? {
      registry: newestWhole(document),
      isReadable: false,
    }
  )
}

function newestWhole(document: VersionedDocument<Registry>): Registry | undefined {
  return unless(isFileError, () => {
    const { published, versions } = lookAt(document, 10)
    const copy = [published, ...versions.toReversed()].find(
      (one) => one !== undefined && one.fault === undefined,
    )
    return copy && registrySchema.parse(JSON.parse(copy.text))
  })
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error
}

/**
 * A registered team as an actor of the engine.
 * @throws {UsageError} when there is no such archetype.
 */
export function actorOf(view: View, { domainId, archetypeId, location, coordinator }: RegistryEntry): Actor {
  return {
    team: domainId,
    coordinator,
    archetype: archetypeId,
    logic: view.archetypes.of(archetypeId).logic,
    workspace: location,
    lifecycle: lifecycleDocument(location),
    mailbox: new Mailbox(domainId, location),
    world: view,
  }
}

/** Whether an error says that a file is damaged, and not that the program is. */
export function isDamage(error: unknown): boolean {
  return error instanceof CorruptDocumentError || error instanceof ConfigValidationError
}

/** A check, and what it looks at. */
export type Check = readonly [Area, (view: View) => Found[] | Promise<Found[]>]
