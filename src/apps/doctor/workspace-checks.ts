import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { v4 as uuid } from 'uuid'
import { GitRewrittenError } from '../../errors/git-errors.ts'
import { unless } from '../../errors/unless.ts'
import { presentMs } from '../../protocol/clock.ts'
import { lifecycleDocument } from '../../engine/step/lifecycle-document.ts'
import { isOtherThanNewer } from '../../errors/newer-format.ts'
import { placeOf } from '../../platform/git/repository-place.ts'
import { worktreeAt } from '../../platform/git/worktree.ts'
import { git } from '../../platform/git/git.ts'
import { federationLayout, workspaceLayout } from '../../protocol/folder-layout.ts'
import type { PlacementType } from '../../protocol/registry-schema.ts'
import { teamIdSchema } from '../../protocol/team-id.ts'
import { disk } from '../../platform/storage/disk.ts'
import { move, removeEmpty } from '../../platform/storage/without-links.ts'
import { versionsDirectory } from '../../platform/storage/versioned-steps.ts'
import { readIdentity } from '../../federation/identity.ts'
import { isPutAway, lastFormer } from '../../federation/former-teams.ts'
import { onboard } from '../../federation/onboarding/onboard-team.ts'
import {
  claimOnboarding,
  isBeingOnboarded,
  leftOnboardings,
} from '../../federation/onboarding/onboarding-claim.ts'
import { unlessNewer, type Found } from '../../monitor/diagnosis/finding.ts'
import type { View } from '../../monitor/diagnosis/view.ts'

/** An onboarding that runs changes something more often than this, or its claim shows it; in milliseconds. */
const stillMs = 2000

/** What onboardings that were killed left: folders that are being made, and workspaces that nobody registered. */
export function workspaceFindings(view: View): Found[] {
  const { teams, worktrees } = federationLayout(view.root)
  return [
    ...unlessNewer(() => leftOnboardings(view.root).map((team) => killedOnboarding(view.root, team))),
    ...unregistered(view, teams, 'directory'),
    ...unregistered(view, worktrees, 'worktree'),
    ...view.registered.flatMap(rewritten),
    ...[view.root, ...view.entries.map(({ location }) => location)].flatMap(putAside),
    ...[teams, worktrees].flatMap(putAside),
  ]
}

function namesIn(dir: string): string[] {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return []
  return disk.list(dir).toSorted()
}

/** A worktree whose `.git` was rewritten: git is not asked there. */
function rewritten({ location }: View['registered'][number]): Found[] {
  try {
    placeOf(location)
    return []
  } catch (error) {
    if (!(error instanceof GitRewrittenError)) throw error
    const { what, advice } = error.told
    return [{ severity: 'error', where: location, message: what, fix: advice }]
  }
}

function killedOnboarding(root: string, team: string): Found {
  return {
    severity: 'warning',
    where: path.join(federationLayout(root).teams, `.${team}.*`),
    message: `an onboarding of ${team}, or its offboarding, was killed before its end`,
    fix: 'it holds nothing but what is made on the way, and can be removed',
    repair() {
      const claimed = claimOnboarding(root, team)
      claimed?.end()
      return claimed && 'removed'
    },
  }
}

function unregistered(view: View, parent: string, placement: PlacementType): Found[] {
  // without a registry every workspace would look unregistered
  if (!view.isOpen) return []
  const registered = new Set(view.registered.map(({ domainId }) => domainId))
  return namesIn(parent)
    .filter((name) => teamIdSchema.safeParse(name).success && !registered.has(name))
    .map((name) => path.join(parent, name))
    .filter((dir) => statSync(dir, { throwIfNoEntry: false })?.isDirectory())
    .flatMap((dir) =>
      unlessNewer(() =>
        isBeingOnboarded(view.root, path.basename(dir))
          ? []
          : [offboarding(view, dir) ?? halfMade(view, dir, placement)],
      ),
    )
}

/** The finding for a workspace that a killed offboarding left in its place; undefined where it is none. */
function offboarding({ root }: View, dir: string): Found | undefined {
  const team = path.basename(dir)
  const former = lastFormer(root, team)
  // one that was put away has left nothing: this is somebody's who used the name again
  if (former === undefined || isPutAway(former)) return undefined
  return {
    severity: 'warning',
    where: dir,
    message: `${team} was offboarded, and its workspace is still there`,
    fix: `'fed offboard ${team}' puts it away`,
  }
}

/** Milliseconds until a workspace will have been unchanged for `stillMs`; 0 where it has been. */
function restless(dir: string): number {
  const ages = [dir, path.join(dir, '.fed')].flatMap((one) => {
    const stat = statSync(one, { throwIfNoEntry: false })
    return stat === undefined ? [] : [presentMs() - stat.ctimeMs]
  })
  const rest = stillMs - Math.min(...ages)
  // a clock that was set back would make it long
  return rest > 0 && rest <= stillMs ? rest : 0
}

/**
 * Waits until a workspace no longer changes.
 * @returns whether it is there, unregistered, and in no onboarding that still runs.
 */
async function isStillUnknown({ root, registry }: View, dir: string): Promise<boolean> {
  for (let rest = restless(dir); rest > 0; rest = restless(dir)) await sleep(rest)
  const isRegistered = registry.read().teams.some(({ domainId }) => domainId === path.basename(dir))
  return existsSync(dir) && !isRegistered && !isBeingOnboarded(root, path.basename(dir))
}

function halfMade(view: View, dir: string, placement: PlacementType): Found {
  const { root, registry } = view
  const team = path.basename(dir)
  const archetype = archetypeOfWhole(root, dir)
  const finding = { severity: 'warning', where: dir } as const
  if (archetype !== undefined) {
    return {
      ...finding,
      message: `the workspace of ${team} is whole, but the registry does not know it`,
      fix: `it can be registered again, as ${archetype}`,
      async repair() {
        if (!(await isStillUnknown(view, dir))) return undefined
        onboard(root, registry, { domain: team, archetype: view.archetypes.of(archetype), placement })
        return `registered as ${archetype}`
      },
    }
  }
  const { lifecycle } = workspaceLayout(dir)
  if ([lifecycle, versionsDirectory(lifecycle)].some((one) => existsSync(one))) {
    // an onboarding puts a whole team in its place or nothing: this is something else, and somebody's work
    const message = `it holds a team's life, but not that of ${team}, or not a whole one`
    return {
      ...finding,
      message,
      fix: 'give it its name again, or put its files back from a copy, or move it away',
    }
  }
  const isWorktree = placement === 'worktree' && existsSync(path.join(dir, '.git'))
  return {
    ...finding,
    message: `an onboarding of ${team} was killed in the middle: there is no whole team in it`,
    fix: `it can be put aside, with all that it holds${isWorktree ? '; its branch is free then' : ''}`,
    async repair() {
      if (!(await isStillUnknown(view, dir)) || archetypeOfWhole(root, dir) !== undefined) return undefined
      if (disk.list(dir).length === 0) {
        removeEmpty(dir)
        return 'removed, it was empty'
      }
      const aside = nameAside(dir)
      if (isWorktree && worktreeAt(root, dir) !== undefined) moveWorktree(root, dir, aside)
      else move(dir, aside)
      return `put aside as ${path.basename(aside)}`
    },
  }
}

function nameAside(dir: string): string {
  return path.join(path.dirname(dir), `.${path.basename(dir)}.${uuid()}.aside`)
}

/** A worktree is moved by git, which knows where it is; its files and its commit stay as they are. */
function moveWorktree(root: string, dir: string, aside: string): void {
  git(root, 'worktree', 'move', dir, aside)
  git(aside, 'checkout', '--quiet', '--detach')
}

/**
 * The archetype of a team whose workspace needs nothing but its entry in the registry.
 * @throws {NewerFormatError}
 */
function archetypeOfWhole(root: string, dir: string): string | undefined {
  return unless(isOtherThanNewer, () => {
    const identity = readIdentity(dir)
    if (identity === undefined || identity.team !== path.basename(dir) || identity.root !== root)
      return undefined
    const head = lifecycleDocument(dir).read()?.content
    return head?.team === identity.team && head.archetype === identity.archetype ? head.archetype : undefined
  })
}

function putAside(dir: string): Found[] {
  return namesIn(dir)
    .filter((name) => /^\..+\.aside$/.test(name))
    .map((name) => ({
      severity: 'note',
      where: path.join(dir, name),
      message: 'put aside by an onboarding or a repair',
      fix: 'remove it when nobody needs it any more',
    }))
}
