import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { disk } from '../../platform/storage/disk.ts'
import {
  branchOf,
  commitsOnlyIn,
  hasOwnCommits,
  isUnborn,
  isWorkTree,
  knownWorktrees,
  tipOf,
  worktreeAt,
  type KnownWorktree,
} from '../../platform/git/worktree.ts'
import { WorktreeError } from '../../errors/git-errors.ts'
import { git, gitOrNothing } from '../../platform/git/git.ts'

/**
 * What it takes to have a team's worktree. `there`: nothing. `on-its-branch`: the branch is checked out as it
 * is. `on-a-new-branch`: a branch is made at the target, or at the root's HEAD where there is no target.
 * `on-a-merged-branch`: the same, in place of a branch whose commits other branches have as well.
 */
export type WorktreePlan = 'there' | 'on-its-branch' | 'on-a-new-branch' | 'on-a-merged-branch'

/**
 * Decides what it takes to have a team's worktree, and refuses whatever git would stumble over.
 * @throws {WorktreeError} naming what is in the way; nothing was changed.
 */
export function planWorktree(root: string, domain: string, workspace: string): WorktreePlan {
  const branch = branchOf(domain)
  const refuse = (what: string, advice: string) => new WorktreeError(workspace, what, advice)
  if (gitOrNothing(root, 'rev-parse', '--verify', '--quiet', 'HEAD') === undefined) {
    throw refuse(`it needs a commit to start from, and ${root} has none`, 'commit something first')
  }
  const own = worktreeAt(root, workspace)
  const other = knownWorktrees(root).find((known) => known.branch === branch && known.path !== own?.path)
  if (other !== undefined) throw refuse(...checkedOut(other, branch))
  const isFilled = holdsSomething(workspace)
  if (own !== undefined && existsSync(path.join(workspace, '.git'))) {
    if (!isWorkTree(root, workspace)) {
      throw refuse(
        'what git noted of it is half made, or half removed',
        "'fed doctor --fix' puts it out of the way when it is ten minutes old; give the command again then",
      )
    }
    if (own.branch === branch) return 'there'
    const now = own.branch === undefined ? 'no branch' : `branch ${own.branch}`
    throw refuse(
      `it is there already, with ${now} checked out`,
      `'git -C ${workspace} switch ${branch}' takes it back, 'git worktree remove ${workspace}' removes it`,
    )
  }
  if (isFilled) {
    throw refuse(
      'the folder holds files and is no worktree of this repository',
      "move it away, or have 'fed doctor --fix' put it aside, and give the command again",
    )
  }
  if (own?.lock !== undefined) {
    throw refuse(
      `git keeps its place locked${own.lock === '' ? '' : ` (${own.lock})`}, and the folder is not there`,
      `put the folder back, or 'git worktree unlock ${workspace}'`,
    )
  }
  if (own?.head !== undefined && hasOwnCommits(root, own)) {
    throw refuse(
      `git remembers commit ${own.head} in its place, on no branch, and the folder is not there`,
      `'git branch <name> ${own.head}' keeps it`,
    )
  }
  refuseNamesInTheWay(root, workspace, branch)
  const tip = tipOf(root, branch)
  if (tip === undefined) return 'on-a-new-branch'
  // git still knows a worktree of the team on it: the commits are the team's own
  if (own !== undefined) return 'on-its-branch'
  const commits = commitsOnlyIn(root, tip, branch)
  if (commits === 0) return 'on-a-merged-branch'
  throw refuse(
    `branch ${branch} holds ${commits} commit${commits === 1 ? '' : 's'} that no other branch has`,
    `merge it, or keep it under another name ('git branch -m ${branch} <name>'), and give the command again`,
  )
}

function checkedOut(other: KnownWorktree, branch: string): [string, string] {
  const what = `its branch ${branch} is checked out in ${other.path}`
  return other.isPrunable
    ? [`${what}, which is gone`, "'git worktree prune' forgets that folder"]
    : [what, `'git -C ${other.path} switch <another>' frees it`]
}

/**
 * Whether the place of a workspace holds anything, which is never removed. An empty folder does not, nor does
 * a worktree that git has just begun.
 * @throws {WorktreeError} where it is no folder.
 */
function holdsSomething(workspace: string): boolean {
  const found = statSync(workspace, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (!found.isDirectory()) {
    throw new WorktreeError(
      workspace,
      'something else is in the way: it must be a folder',
      'move it away and give the command again',
    )
  }
  return disk.list(workspace).length > 0 && !isUnborn(workspace)
}

/**
 * Refuses a team where another branch blocks its branch's name: git can have either `a` or `a/b`.
 * @throws {WorktreeError}
 */
function refuseNamesInTheWay(root: string, workspace: string, branch: string): void {
  const [family = ''] = branch.split('/')
  const names = git(root, 'for-each-ref', '--format=%(refname:lstrip=2)', `refs/heads/${family}`).split('\n')
  const inTheWay = names.find((name) => name === family || name.startsWith(`${branch}/`))
  if (inTheWay === undefined) return
  throw new WorktreeError(
    workspace,
    `branch ${inTheWay} is in the way of ${branch}, because a branch cannot lie below another`,
    `rename it: 'git branch -m ${inTheWay} <name>'`,
  )
}
