import path from 'node:path'
import type { CodingContext } from '../../../machines/coding.ts'
import type { Evidence, TeamContext } from '../../../machines/team-event.ts'
import {
  broughtBy,
  commitsBetween,
  countCommits,
  isAncestor,
  mergeProof,
  unseenBy,
} from '../../platform/git/merge-proof.ts'
import { uncommittedFiles } from '../../platform/git/uncommitted-work.ts'
import { branchIn, branchOf, commitsOf, isWorkTree, tipOf } from '../../platform/git/worktree.ts'
import { gitOrNothing } from '../../platform/git/git.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { covers } from '../../protocol/path-pattern.ts'
import { taskOfTeam } from './task-of-team.ts'
import { targetOf } from './mission-target.ts'
import type { Actor } from './world.ts'

/** What a machine with a target remembers; a machine of an `importHook` may remember none of it. */
type Remembered = Pick<Partial<CodingContext>, 'base' | 'testedCommit'>

/** Where a mission that is given now begins. */
export function baseEvidence(actor: Actor): NonNullable<Evidence['base']> {
  const { team, workspace, world } = actor
  const target = targetOf(actor)
  const start = target && tipOf(world.root, target)
  const tip = isInWorktrees(actor) ? tipOf(world.root, branchOf(team)) : commitOf(workspace)
  return {
    ...(target !== undefined && { target }),
    ...(start !== undefined && { start }),
    ...(tip !== undefined && { tip }),
  }
}

/** What git says of the team's branch; undefined where it knows no commit there. */
export function branchEvidence(actor: Actor, context: TeamContext): Evidence['branch'] {
  const { team, workspace, world } = actor
  // in a worktree without its .git, git would answer for the person's own files and commits
  const isOwnWorktree = isInWorktrees(actor)
  if (isOwnWorktree && !isWorkTree(world.root, workspace)) return undefined
  const branch = isOwnWorktree ? branchOf(team) : undefined
  const { base } = context as Remembered
  const [target, ofBranch, ...old] = commitsOf(world.root, [
    base ? `refs/heads/${base.target}` : 'HEAD',
    branch === undefined ? 'HEAD' : `refs/heads/${branch}`,
    ...(base ? [base.start, base.tip] : []).filter((one) => one !== undefined),
  ])
  const head = branch === undefined ? commitOf(workspace) : ofBranch
  if (target === undefined || head === undefined) return undefined
  const checkedOut = branch && (branchIn(workspace) ?? 'no branch')
  // what was there when the mission began is not its work, as far as git still has it
  const before = old.filter((one) => one !== undefined)
  const work = commitsBetween(world.root, head, [target, ...before])
  const touched = new Set(work.flatMap(({ files }) => files))
  return {
    head,
    ahead: work.length,
    changes: broughtBy(world.root, head, target).filter((file) => touched.has(file)).length,
    uncommitted: uncommittedFiles(workspace),
    ...(checkedOut !== branch && { instead: checkedOut }),
    ...outsideOf(actor, touched),
  }
}

/** More are not named. */
const mostOutside = 20

/** Which of these files a team's task may not change. */
function outsideOf(
  { team, world }: Actor,
  files: ReadonlySet<string>,
): Pick<NonNullable<Evidence['branch']>, 'outside'> {
  const paths = taskOfTeam(world, world.registry.entry(team))?.task.paths
  if (paths === undefined) return {}
  const outside = [...files].filter((file) => !paths.some((pattern) => covers(pattern, file)))
  return { outside: outside.toSorted().slice(0, mostOutside) }
}

/**
 * Whether the work that was proven, and whatever was committed after it, is in the mission's target.
 * Undefined where there is no such commit or branch.
 */
export function mergeEvidence({ team, world }: Actor, context: TeamContext): Evidence['merge'] {
  const { base, testedCommit } = context as Remembered
  if (!base || !testedCommit) return undefined
  const { root } = world
  const [target, work] = [tipOf(root, base.target), commitOf(root, testedCommit)]
  if (target === undefined || work === undefined) return undefined
  const branch = branchOf(team)
  const tip = tipOf(root, branch)
  const commits = [work, ...(tip === undefined || isAncestor(root, tip, work) ? [] : [tip])]
  const start = isAncestor(root, base.start, target) ? base.start : undefined
  const proofs = commits.map((commit) => mergeProof(root, { work: commit, target, start }))
  const proof = proofs.includes(null) ? null : (proofs[0] ?? null)
  const unseen = proof === null ? unseenBy(root) : undefined
  return {
    branch: tip === undefined ? testedCommit : branch,
    target: base.target,
    proof,
    missing: countCommits(root, commits, [target]),
    ...(unseen !== undefined && { unseen }),
  }
}

/** Whether the team works in a worktree of its own. */
export function isInWorktrees({ workspace, world }: Actor): boolean {
  return path.dirname(workspace) === federationLayout(world.root).worktrees
}

/** Id of a commit. Undefined where git knows none: that refuses a milestone, and must not stop the team. */
export function commitOf(dir: string, name = 'HEAD'): string | undefined {
  return gitOrNothing(dir, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)
}
