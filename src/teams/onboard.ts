import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fs from 'fs-extra'
import { v4 as uuid } from 'uuid'
import { firstCommit } from '../actors/present.ts'
import { lifecycleDocument, type Lifecycle } from '../actors/lifecycle.ts'
import { branchIn, assertTarget } from '../codebase/target.ts'
import { tipOf } from '../codebase/worktree.ts'
import { gitOrNothing } from '../git.ts'
import { FedError, NotDoneError, TeamExistsError, UsageError } from '../errors.ts'
import { workspaceLayout } from '../protocol/layout.ts'
import type { PlacementType, RegistryEntry } from '../protocol/registry.ts'
import { assertTeamId } from '../protocol/team-id.ts'
import { now } from '../protocol/time.ts'
import type { TeamRegistry } from '../registry/registry.ts'
import { initialStatus } from '../registry/status.ts'
import { Mailbox } from '../signals/mailbox.ts'
import { installSkills } from '../skills/install.ts'
import { skillsOf } from '../skills/skill.ts'
import { disk } from '../storage/disk.ts'
import type { Archetype } from './archetypes.ts'
import { loadConfig } from './config.ts'
import { readIdentity, type Identity } from './identity.ts'
import { setUp } from './init.ts'
import { onlyReads } from './lead-agent.ts'
import { archiveOf, isOffboarded } from './offboarded.ts'
import { claimOnboarding } from './onboarding-claim.ts'
import { placements } from './placement.ts'

export interface Onboarding {
  readonly domain: string
  readonly archetype: string
  /** Without it, what the archetype usually takes. */
  readonly placement?: PlacementType
  /** Branch into which the team's work is to be merged; without it the configuration's, or what is checked out. */
  readonly into?: string | undefined
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
  { domain, archetype, placement, into }: Omit<Onboarding, 'archetype'> & { readonly archetype: Archetype },
): RegistryEntry {
  assertTeamId(domain)
  const placementType = placement ?? archetype.placement
  refuseSharedBranch(archetype, placementType)
  if (isRegistered(registry, domain)) {
    // what an onboarding left that was killed after it had registered the team
    claimOnboarding(root, domain)?.end()
    throw existing(domain)
  }
  refuseOffboarded(root, domain)
  if (into !== undefined) assertTarget(root, domain, into)
  const onboardedOn = branchIn(root)
  const target = into ?? loadConfig(root).target ?? onboardedOn
  if (placementType === 'worktree') assertBeginning(root, archetype, target)
  const place = placements[placementType](root, domain, target)
  const identity: Identity = { team: domain, archetype: archetype.id, root }
  try {
    setUp(root, registry)
    const { staging, end } = onceAlone(root, domain)
    try {
      if (isRegistered(registry, domain)) throw existing(domain)
      const isNew = place.prepare()
      try {
        if (!isWhole(place.workspace, identity)) furnish(staging, place.workspace, archetype, identity)
        return register(registry, {
          domain,
          domainId: domain,
          archetypeId: archetype.id,
          placementType,
          onboardedAt: now(),
          location: place.workspace,
          status: initialStatus(),
          ...(into !== undefined && { into }),
          // only a team with a branch of its own is merged into one
          ...(placementType === 'worktree' && onboardedOn !== undefined && { onboardedOn }),
        })
      } catch (error) {
        if (isNew && !isRegistered(registry, domain)) place.discard()
        throw error
      }
    } finally {
      end()
    }
  } catch (error) {
    if (error instanceof FedError) throw error
    throw new NotDoneError(`team '${domain}' was not created`, error)
  }
}

/** An agent that commits needs a branch of its own: in the codebase's root it would commit on the person's. */
function refuseSharedBranch({ id, placement, leadAgent }: Archetype, chosen: PlacementType): void {
  if (chosen !== 'directory' || placement !== 'worktree' || onlyReads(leadAgent)) return
  throw new UsageError(
    `--placement directory: a ${id} team commits, which needs a branch of its own; leave the option out, or give 'worktree'`,
  )
}

/** Work that is to be merged needs a branch into which it is. */
function assertBeginning(root: string, { id, logic }: Archetype, target: string | undefined): void {
  if (target !== undefined && tipOf(root, target) !== undefined) return
  const name = '--into <branch> names the branch into which its work is to be merged'
  // a repository without a commit has its branch's name and nothing to begin at: git says so by itself
  if (target !== undefined && gitOrNothing(root, 'rev-parse', '--verify', '--quiet', 'HEAD') !== undefined)
    throw new UsageError(`a ${id} team cannot begin at ${target}: ${root} has no such branch; ${name}`)
  if (target === undefined && logic.machine.implementations.guards['knowsTarget'] !== undefined)
    throw new UsageError(`${root} has no branch checked out, and a ${id} team works towards one: ${name}`)
}

/** Time that somebody else has to onboard the same team, in milliseconds. */
const othersMs = 30_000
const pollMs = 20

/**
 * Waits until nobody else is onboarding this team.
 * @throws {TeamExistsError} when somebody takes too long.
 */
function onceAlone(root: string, team: string): NonNullable<ReturnType<typeof claimOnboarding>> {
  const began = performance.now()
  for (;;) {
    const claimed = claimOnboarding(root, team)
    if (claimed !== undefined) return claimed
    if (performance.now() - began > othersMs)
      throw new TeamExistsError(
        `team '${team}' is being onboarded by somebody else; 'fed status ${team}' shows it when it is there`,
      )
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
  }
}

function existing(domain: string): TeamExistsError {
  return new TeamExistsError(
    `team '${domain}' exists already; 'fed status ${domain}' shows it, and 'fed run "<mission>" --team ${domain}' gives it a mission`,
  )
}

/** Signals and processes of the old team may still come under its name, and commits are told apart by it. */
function refuseOffboarded(root: string, domain: string): void {
  if (!isOffboarded(root, domain)) return
  throw new TeamExistsError(
    `'${domain}' is the name of a team that was offboarded, and stays taken; choose another, such as '${domain}-2' (what that team left is in ${archiveOf(root, domain)})`,
  )
}

function isRegistered(registry: TeamRegistry, domain: string): boolean {
  return registry.read().teams.some(({ domainId }) => domainId === domain)
}

function register(registry: TeamRegistry, entry: RegistryEntry): RegistryEntry {
  registry.update((draft) => {
    if (draft.teams.some(({ domainId }) => domainId === entry.domainId)) throw existing(entry.domainId)
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

/** Makes `.fed` of a workspace aside and puts it in place by one rename. */
function furnish(staging: string, workspace: string, archetype: Archetype, identity: Identity): void {
  putAside(workspace)
  fill(staging, archetype, identity)
  disk.rename(path.join(staging, '.fed'), path.join(workspace, '.fed'))
  // the registry, which names it next, is durable: so must be what it names
  disk.syncDirectory(workspace)
}

/** Keeps a `.fed` of something else, such as an onboarding with another archetype, under another name. */
function putAside(workspace: string): void {
  const found = path.join(workspace, '.fed')
  if (!fs.existsSync(found)) return
  const aside = path.join(workspace, `.fed.${uuid()}.aside`)
  fs.mkdirSync(aside)
  disk.rename(found, path.join(aside, '.fed'))
}

/** Everything that a new team's workspace holds. */
function fill(staging: string, archetype: Archetype, identity: Identity): void {
  const layout = workspaceLayout(staging)
  new Mailbox(identity.team, staging).create()
  disk.create(layout.identity, `${JSON.stringify(identity, null, 2)}\n`)
  installSkills(staging, skillsOf(identity.root, archetype.skills, loadConfig(identity.root)))
  lifecycleDocument(staging).commit(
    undefined,
    firstCommit({ team: identity.team, archetype: archetype.id, logic: archetype.logic }) as Lifecycle,
  )
}
