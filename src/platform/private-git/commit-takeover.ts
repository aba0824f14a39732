import { GitError } from '../../errors/git-errors.ts'
import { inOneLine, printable } from '../../errors/printable.ts'
import { RefusedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { git, gitOrNothing, gitWith } from '../git/git.ts'
import { durableGit } from '../git/uncommitted-work.ts'
import { branchOf, tipOf } from '../git/worktree.ts'
import { askInside, type Inside } from './inside.ts'
import { refsOutside, takenRef } from './real-repository.ts'
import { believe, bringIn, withStaging, type Staging } from './staged-commits.ts'

/** Whose work is taken over, and what has to hold of it. */
export interface Work {
  readonly team: string
  /** Commits of which the branch must hold one, where there are any: where its mission began, where its target is. */
  readonly bases: readonly string[]
}

/** Longest time that a look at the worktree's files may take, in milliseconds. */
const longestLookMs = 120_000

/** How often it is tried when somebody moves the branch at the same time. */
const mostTries = 3

/**
 * Takes what a team's agent committed on its branch over into the real repository: checked object by object, by
 * compare-and-swap, and the worktree's index after it. Commits that the branch does not hold any more stay in its
 * reflog. Again it changes nothing; killed anywhere, it is done again.
 * @param isToBeThere whether the worktree has to be on that branch.
 * @throws {RefusedError} in words for the agent: nothing came into the repository then.
 */
export function takeOver(one: Inside, work: Work, { isToBeThere = true } = {}): void {
  for (let tries = 1; ; tries += 1) {
    try {
      if (takeOnce(one, work, isToBeThere)) break
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      throw notTaken(work.team, printable(inOneLine(error.words), 500), error)
    }
    if (tries === mostTries) throw notTaken(work.team, 'somebody else moves it all the time; try again')
  }
  followWithIndex(one)
}

function notTaken(team: string, why: string, cause?: unknown): RefusedError {
  return new RefusedError(`the commits of ${branchOf(team)} were not taken over: ${why}`, { cause })
}

/** @returns whether the branch outside is what it is inside. */
function takeOnce(one: Inside, work: Work, isToBeThere: boolean): boolean {
  const { team } = work
  const branch = branchOf(team)
  const { refs, taken } = refsOutside(one.real, team)
  const before = refs.find(({ name }) => name === `refs/heads/${branch}`)?.object
  const stand = standInside(one, branch)
  if (stand === undefined)
    throw notTaken(team, `git cannot list its branches; 'git fsck' tells what is wrong`)
  const { head, tip } = stand
  if (isToBeThere && head !== `refs/heads/${branch}`) throw elsewhere(team, head)
  if (tip === undefined) throw notTaken(team, `it is gone; 'git branch ${branch} <commit>' makes it again`)
  if (before === undefined) throw notTaken(team, 'somebody removed the branch from the repository')
  if (tip === before) return true
  withStaging(one, refs, (staging) => {
    bringIn(one, staging, [tip])
    assertHolds(work, { before, taken, holds: (commit) => isAncestor(staging, commit, tip) })
    believe(one, staging, [tip])
  })
  return swap(one, { team, before, tip })
}

interface Incoming {
  /** The branch's commit outside. */
  readonly before: string
  /** The commit that was taken over last. */
  readonly taken: string | undefined
  readonly holds: (commit: string) => boolean
}

/** What the agent itself committed it may commit anew; what came from others it may not leave out. */
function assertHolds({ team, bases }: Work, { before, taken, holds }: Incoming): void {
  if (before !== taken && !holds(before)) {
    throw notTaken(
      team,
      `somebody else moved it to ${before} meanwhile, which yours does not hold; 'git rebase ${before}' takes it in`,
    )
  }
  const [base] = bases
  if (base !== undefined && !bases.some(holds)) {
    throw notTaken(
      team,
      `it does not hold ${base} any more, where its mission began; 'git rebase ${base}' puts it on that again`,
    )
  }
}

/** The branch and what is remembered of it in one step, unless somebody else moved it. @returns whether it did. */
function swap(
  { real: { root } }: Inside,
  { team, before, tip }: { team: string; before: string; tip: string },
): boolean {
  const branch = branchOf(team)
  const input = [`update refs/heads/${branch} ${tip} ${before}`, `update ${takenRef(team)} ${tip}`, ''].join(
    '\n',
  )
  const words = ['update-ref', '-m', 'fed: taken over', '--create-reflog', '--stdin']
  const failed = unless(GitError, () => gitWith(root, words, { env: durableGit(), input })) === undefined
  if (!failed || tipOf(root, branch) === tip) return true
  // it was another reason than another tip
  if (tipOf(root, branch) === before) gitWith(root, words, { env: durableGit(), input })
  return tipOf(root, branch) === tip
}

function elsewhere(team: string, head: string | undefined): RefusedError {
  const branch = branchOf(team)
  if (head === undefined)
    return notTaken(
      team,
      `no branch is checked out in the worktree; 'git rebase --continue' ends a rebase, and 'git switch ${branch}' leads back`,
    )
  const other = printable(head.replace(/^refs\/heads\//, ''))
  return notTaken(
    team,
    `the worktree is on ${other}; 'git switch ${branch}' leads back, and 'git merge ${other}' takes its commits along`,
  )
}

/** What is checked out inside, and the branch's commit; undefined where git cannot tell. */
function standInside(
  one: Inside,
  branch: string,
): { head: string | undefined; tip: string | undefined } | undefined {
  const format = '--format=%(if)%(HEAD)%(then)HEAD%(end) %(objectname) %(refname)'
  const printed = askInside(one, ['for-each-ref', format, 'refs/heads'])
  const found = printed?.split('\n').flatMap((line) => {
    const [, head, object = '', name = ''] = /^(HEAD|) ([0-9a-f]{40,64}) (refs\/\S+)$/.exec(line) ?? []
    return name === '' ? [] : [{ isHead: head !== '', object, name }]
  })
  return (
    found && {
      head: found.find(({ isHead }) => isHead)?.name,
      tip: found.find(({ name }) => name === `refs/heads/${branch}`)?.object,
    }
  )
}

function isAncestor({ git: ask }: Staging, commit: string, of: string): boolean {
  return unless(GitError, () => ask(['merge-base', '--is-ancestor', commit, of])) !== undefined
}

/** The files are the agent's, inside and outside: the index outside learns of what is committed of them. */
function followWithIndex({ real: { workTree } }: Inside): void {
  if (gitOrNothing(workTree, 'diff-index', '--cached', '--quiet', 'HEAD', '--') !== undefined) return
  git(workTree, 'read-tree', '--reset', '-i', 'HEAD')
  // says which files differ, by failing; an agent may have left a pipe where git looks for attributes
  unless(GitError, () => gitWith(workTree, ['update-index', '-q', '--refresh'], { longestMs: longestLookMs }))
}
