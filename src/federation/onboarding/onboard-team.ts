import { existsSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { v4 as uuid } from 'uuid'
import { firstCommit } from '../../engine/step/present.ts'
import type { Lifecycle } from '../../engine/decide/lifecycle.ts'
import { lifecycleDocument } from '../../engine/step/lifecycle-document.ts'
import { branchIn } from '../../platform/git/worktree.ts'
import { assertTarget } from '../target.ts'
import { tipOf } from '../../platform/git/worktree.ts'
import { gitOrNothing } from '../../platform/git/git.ts'
import { FedError, NotDoneError, UsageError } from '../../errors/fed-error.ts'
import { TeamExistsError } from '../../errors/team-errors.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { printable } from '../../errors/printable.ts'
import { describeProblems } from '../../protocol/problems.ts'
import {
  registryEntrySchema,
  type PlacementType,
  type RegistryEntry,
} from '../../protocol/registry-schema.ts'
import { teamIdOf } from '../../protocol/team-id.ts'
import { now } from '../../protocol/time.ts'
import type { TeamRegistry } from '../../records/registry/team-registry.ts'
import { initialStatus } from '../../records/registry/move-status.ts'
import { Mailbox } from '../../records/signals/mailbox.ts'
import { installSkills } from '../../records/skills/install.ts'
import { skillsOf } from '../../records/skills/skill.ts'
import { disk, makeDirectory } from '../../platform/storage/disk.ts'
import { writeVersions } from '../../platform/storage/write-versions.ts'
import type { Archetype } from '../archetypes.ts'
import { loadConfig } from '../../records/config/load-config.ts'
import { identityText, readIdentity, type Identity } from '../identity.ts'
import { setUp } from './set-up.ts'
import { onlyReads } from '../lead-agent.ts'
import { holdingName } from './name-claim.ts'
import { isPutAway, lastFormer } from '../former-teams.ts'
import { claimOnboarding } from './onboarding-claim.ts'
import { placements } from '../placement.ts'

export interface Onboarding {
  /** Name that people give the team, such as `API Docs`; its id is made of that, see `teamIdOf`. */
  readonly domain: string
  /** Id of the archetype; `usualArchetype` when left out. */
  readonly archetype?: string | undefined
  /** Where its workspace lies; as the archetype says when left out. */
  readonly placement?: PlacementType | undefined
  /** Target branch of the team's work; when left out, the configuration's, or what is checked out. */
  readonly into?: string | undefined
  /** Team that coordinates it: its directives count as those of `meta`. */
  readonly coordinator?: string | undefined
  /** Agent that works for it, by its name or as a command; when left out, the configuration's. */
  readonly agent?: string | undefined
  /** The life with which it comes from another site; a new one begins when left out. */
  readonly adopted?: Adopted | undefined
}

/** A team that goes on here with the life that it had elsewhere. */
interface Adopted {
  /** Its entry as it was there; its location counts for nothing. */
  readonly entry: RegistryEntry
  /** The files of its versions, ascending. */
  readonly versions: readonly { readonly number: number; readonly text: string }[]
  /** Lays what else it brings into its workspace, before anybody knows of it; again it changes nothing. */
  lay(workspace: string): void
}

/**
 * Creates a team: its workspace, skills, mailbox and lifecycle are made beside their place, become visible by
 * one rename, and are then registered. A failure leaves no trace; a kill leaves at most a workspace that
 * nobody knows, which the next onboarding of that team adopts.
 * @throws {InvalidNameError | UsageError | TeamExistsError | ConfigValidationError | NotARepositoryError};
 * {WorktreeError} naming what git would stumble over.
 */
export function onboard(
  root: string,
  registry: TeamRegistry,
  {
    domain: called,
    archetype,
    placement,
    into,
    agent,
    coordinator,
    adopted,
  }: Omit<Onboarding, 'archetype'> & { readonly archetype: Archetype },
): RegistryEntry {
  // the id, here and in the functions below; `name` is what people use
  const domain = teamIdOf(called)
  const name = called.trim()
  const placementType = placement ?? archetype.placement
  refuseSharedBranch(archetype, placementType)
  refuseExisting(root, registry, domain, name)
  versionsBefore(root, domain)
  if (into !== undefined) assertTarget(root, domain, into)
  if (agent !== undefined) assertAgent(agent)
  const onboardedOn = branchIn(root)
  const target = into ?? loadConfig(root).target ?? onboardedOn
  if (placementType === 'worktree') assertBeginning(root, archetype, target)
  const place = placements[placementType](root, domain, target)
  const identity: Identity = { team: domain, archetype: archetype.id, root }
  try {
    setUp(root, registry)
    return holdingName(root, domain, (staging) => {
      const other = entryOf(registry, domain)
      if (other !== undefined) throw existing(other, name)
      const before = versionsBefore(root, domain)
      const isNew = place.prepare()
      try {
        if (!isWhole(place.workspace, identity))
          furnish(staging, place.workspace, { archetype, identity, before, adopted })
        adopted?.lay(place.workspace)
        return register(registry, {
          ...adopted?.entry,
          domain: name,
          domainId: domain,
          archetypeId: archetype.id,
          placementType,
          // the same team, wherever it lives
          onboardedAt: adopted?.entry.onboardedAt ?? now(),
          location: place.workspace,
          status: adopted?.entry.status ?? initialStatus(),
          ...(agent !== undefined && { agent }),
          ...(coordinator !== undefined && { coordinator }),
          ...(into !== undefined && { into }),
          // only a team with a branch of its own is merged into one
          ...(placementType === 'worktree' && onboardedOn !== undefined && { onboardedOn }),
        })
      } catch (error) {
        if (isNew && entryOf(registry, domain) === undefined) place.discard()
        throw error
      }
    })
  } catch (error) {
    if (error instanceof FedError) throw error
    throw new NotDoneError(`team '${domain}' was not created`, error)
  }
}

/**
 * Refuses an agent that the registry could not hold, before anything of the team is made.
 * @throws {UsageError}
 */
function assertAgent(agent: string): void {
  const parsed = registryEntrySchema.shape.agent.safeParse(agent)
  if (!parsed.success) throw new UsageError(`--agent: ${describeProblems(parsed.error)}`)
}

/**
 * Refuses the placement `directory` for a team that commits: it would commit on the branch of the person.
 * @throws {UsageError}
 */
function refuseSharedBranch({ id, placement, leadAgent }: Archetype, chosen: PlacementType): void {
  if (chosen !== 'directory' || placement !== 'worktree' || onlyReads(leadAgent)) return
  throw new UsageError(
    `--placement directory: a ${id} team commits, which needs a branch of its own; leave the option out, or give 'worktree'`,
  )
}

/**
 * Refuses a worktree where the branch into which its work is to be merged is missing.
 * @throws {UsageError}
 */
function assertBeginning(root: string, { id, logic }: Archetype, target: string | undefined): void {
  if (target !== undefined && tipOf(root, target) !== undefined) return
  const name = '--into <branch> names the branch into which its work is to be merged'
  // a repository without a commit has its branch's name and nothing to begin at: git says so by itself
  if (target !== undefined && gitOrNothing(root, 'rev-parse', '--verify', '--quiet', 'HEAD') !== undefined)
    throw new UsageError(`a ${id} team cannot begin at ${target}: ${root} has no such branch; ${name}`)
  if (target === undefined && logic.machine.implementations.guards['knowsTarget'] !== undefined)
    throw new UsageError(`${root} has no branch checked out, and a ${id} team works towards one: ${name}`)
}

/**
 * Refuses an id that a registered team has.
 * @throws {TeamExistsError}
 */
function refuseExisting(root: string, registry: TeamRegistry, domain: string, name: string): void {
  const known = entryOf(registry, domain)
  if (known === undefined) return
  // what an onboarding left that was killed after it had registered the team
  claimOnboarding(root, domain)?.end()
  throw existing(known, name)
}

function entryOf(registry: TeamRegistry, id: string): RegistryEntry | undefined {
  return registry.read().teams.find(({ domainId }) => domainId === id)
}

function existing({ domainId: id, domain }: RegistryEntry, name: string): TeamExistsError {
  const others = [...new Set([domain, name])].filter((one) => one !== id).map((one) => `'${printable(one)}'`)
  const called = others.length === 0 ? '' : `, which is also the id made of ${others.join(' and of ')}`
  return new TeamExistsError(
    `team '${id}' exists already${called}; 'fed status ${id}' shows it, and 'fed run "<mission>" --team ${id}' gives it a mission`,
  )
}

/**
 * How many commits the earlier teams of a name made. Those of the new team are numbered on from there, so
 * that a late process of an earlier team cannot commit to the new lifecycle, and no signal of the new team
 * passes for one of theirs.
 * @throws {TeamExistsError} while the last one is still being taken apart.
 */
function versionsBefore(root: string, domain: string): number {
  const former = lastFormer(root, domain)
  if (former === undefined) return 0
  if (isPutAway(former)) return former.offboarding.lastVersion ?? 0
  throw new TeamExistsError(
    `the last team '${domain}' is not all put away yet: 'fed offboard ${domain}' finishes that, and then its name is free`,
  )
}

function register(registry: TeamRegistry, entry: RegistryEntry): RegistryEntry {
  registry.update((draft) => {
    const known = draft.teams.find(({ domainId }) => domainId === entry.domainId)
    if (known !== undefined) throw existing(known, entry.domain)
    return { ...draft, teams: [...draft.teams, entry] }
  })
  return entry
}

/** Whether an earlier onboarding, killed before it registered, left this very team's workspace. */
function isWhole(workspace: string, identity: Identity): boolean {
  return (
    isDeepStrictEqual(readIdentity(workspace), identity) && lifecycleDocument(workspace).read() !== undefined
  )
}

/** What a new team begins with. */
interface Beginning {
  readonly archetype: Archetype
  readonly identity: Identity
  /** How many commits were made under its name before. */
  readonly before: number
  readonly adopted: Adopted | undefined
}

/** Makes `.fed` of a workspace aside and puts it in place by one rename. */
function furnish(staging: string, workspace: string, beginning: Beginning): void {
  putAside(workspace)
  fill(staging, beginning)
  disk.rename(path.join(staging, '.fed'), path.join(workspace, '.fed'))
  // the registry, which names it next, is durable: so must be what it names
  disk.syncDirectory(workspace)
}

/** Keeps a `.fed` of something else, such as an onboarding with another archetype, under another name. */
function putAside(workspace: string): void {
  const found = path.join(workspace, '.fed')
  if (!existsSync(found)) return
  const aside = path.join(workspace, `.fed.${uuid()}.aside`)
  makeDirectory(aside)
  disk.rename(found, path.join(aside, '.fed'))
}

/** Everything that a new team's workspace holds. */
function fill(staging: string, { archetype, identity, before, adopted }: Beginning): void {
  const layout = workspaceLayout(staging)
  new Mailbox(identity.team, staging).create()
  disk.create(layout.identity, identityText(identity))
  installSkills(staging, skillsOf(identity.root, archetype.skills, loadConfig(identity.root)))
  if (adopted !== undefined) return writeVersions(layout.lifecycle, adopted.versions)
  lifecycleDocument(staging).commit(
    undefined,
    firstCommit({ team: identity.team, archetype: archetype.id, logic: archetype.logic }) as Lifecycle,
    before + 1,
  )
}
