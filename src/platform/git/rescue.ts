import path from 'node:path'
import { GitError } from '../../errors/git-errors.ts'
import { git, gitOrNothing, gitWith } from './git.ts'
import { disk } from '../storage/disk.ts'
import { branchOf, commitsOnlyIn, tipOf } from './worktree.ts'
import {
  commitOf,
  commitSnapshot,
  durableGit,
  treeOf,
  uncommittedWork,
  type Snapshot,
} from './uncommitted-work.ts'

/** Work that no branch has, kept under a name of its own. */
export interface Rescued {
  /** Such as `refs/fed/rescue/api/1`. */
  readonly ref: string
  readonly commit: string
  /** The commit's subject. */
  readonly subject: string
}

/** The folder of refs that keeps a team's rescued work; `domain` is the team's id, as in this whole file. */
function refsOf(domain: string): string {
  return `refs/fed/rescue/${domain}`
}

/**
 * What was rescued of a team, oldest first.
 * @param domain the team's id.
 */
export function rescuedOf(root: string, domain: string): Rescued[] {
  return git(
    root,
    'for-each-ref',
    '--sort=version:refname',
    '--format=%(refname)%00%(objectname)%00%(subject)',
    refsOf(domain),
  )
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [ref = '', commit = '', subject = ''] = line.split('\0')
      return { ref, commit, subject }
    })
}

/**
 * Keeps what is uncommitted in a worktree, and commits under its HEAD that no branch has; again it changes
 * nothing.
 * @param domain the team's id.
 */
export function rescueWorktree(root: string, domain: string, workspace: string, next?: string): void {
  const snapshot = uncommittedWork(workspace, next)
  // somebody who does the same has kept it, and removes it: files may have been missing from the snapshot
  if (!disk.exists(workspace)) return
  if (snapshot !== undefined) {
    keep(root, domain, {
      isKept: () => isKept(root, domain, snapshot),
      commit: () => commitSnapshot(workspace, snapshot, `Uncommitted work of team ${domain}`),
    })
  }
  for (const head of headsOf(workspace)) rescueCommits(root, domain, head)
}

/** What is checked out, and what an unfinished rebase began with: nothing else may know of it. */
function headsOf(workspace: string): string[] {
  const begun = ['rebase-merge', 'rebase-apply'].flatMap((folder) => {
    const file = git(workspace, 'rev-parse', '--git-path', `${folder}/orig-head`)
    return disk.read(path.resolve(workspace, file))?.trim() ?? []
  })
  return ['HEAD', ...begun].flatMap(
    (name) => gitOrNothing(workspace, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`) ?? [],
  )
}

/**
 * Keeps a commit where no other branch has it and nothing that was rescued before.
 * @param domain the team's id.
 */
export function rescueCommits(root: string, domain: string, commit: string): void {
  keep(root, domain, {
    isKept: () => commitsOnlyIn(root, commit, branchOf(domain), `--glob=${refsOf(domain)}/*`) === 0,
    commit: () => commit,
  })
}

/**
 * Keeps commits that somebody gave up under one name: as parents of a commit that has the files of the first.
 * @param domain the team's id.
 */
export function rescueTogether(root: string, domain: string, commits: readonly string[]): void {
  const [first = ''] = commits
  keep(root, domain, {
    isKept: () =>
      rescuedOf(root, domain).some(({ commit }) => parentsOf(root, commit).join() === commits.join()),
    commit: () =>
      commitOf(root, {
        tree: treeOf(root, first),
        parents: commits,
        message: `Commits that ${domain} gave up`,
      }),
  })
}

/**
 * Deletes the branch of a team, and keeps what only it had.
 * @param domain the team's id.
 */
export function deleteBranch(root: string, domain: string): void {
  const branch = branchOf(domain)
  for (let tip = tipOf(root, branch); tip !== undefined; tip = tipOf(root, branch)) {
    rescueCommits(root, domain, tip)
    // by its value: a commit that came meanwhile is rescued as well
    const isGone = gitOrNothing(root, 'update-ref', '-d', `refs/heads/${branch}`, tip) !== undefined
    if (!isGone && tipOf(root, branch) === tip) git(root, 'update-ref', '-d', `refs/heads/${branch}`, tip)
  }
  // there may be none
  gitOrNothing(root, 'config', '--remove-section', `branch.${branch}`)
}

/** Whether the same work was kept before, by a process that was killed since. */
function isKept(root: string, domain: string, { head, tree, staged }: Snapshot): boolean {
  return rescuedOf(root, domain).some(({ commit }) => {
    const [first, second] = parentsOf(root, commit)
    return (
      treeOf(root, commit) === tree &&
      first === head &&
      (second === undefined ? undefined : treeOf(root, second)) === staged
    )
  })
}

function parentsOf(root: string, commit: string): string[] {
  return git(root, 'rev-list', '--parents', '--max-count=1', commit).split(' ').slice(1)
}

interface Work {
  /** Whether it needs no name any more. */
  readonly isKept: () => boolean
  readonly commit: () => string
}

/** Gives work the next free name. Of two that keep the same at once one finds the name taken, and looks again. */
function keep(root: string, domain: string, { isKept: isDone, commit }: Work): void {
  for (;;) {
    // before the look whether it is kept: whoever keeps it in between takes the very name that follows
    const taken = rescuedOf(root, domain).map(({ ref }) => Number(ref.split('/').at(-1)))
    if (isDone()) return
    const ref = `${refsOf(domain)}/${Math.max(0, ...taken) + 1}`
    try {
      // an empty old value: only where there is none
      gitWith(root, ['update-ref', ref, commit(), ''], { env: durableGit() })
      return
    } catch (error) {
      const isTaken = gitOrNothing(root, 'rev-parse', '--verify', '--quiet', ref) !== undefined
      if (!(error instanceof GitError) || !isTaken) throw error
    }
  }
}
