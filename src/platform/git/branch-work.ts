import { GitError } from '../../errors/git-errors.ts'
import { askGit } from './ask-git.ts'

/** Which work is asked for. Each value is a commit, or a full name of a branch such as `refs/heads/main`. */
export interface WorkQuestion {
  /** Names of the last commit of the work, the preferred one first: the first that exists is taken. */
  readonly heads: readonly string[]
  /** Where the work is to be merged. */
  readonly target: string
  /** The target's last commit when the work began. */
  readonly start: string | undefined
  /** The branch's last commit when the work began: commits that the branch already had are not this work. */
  readonly before: string | undefined
}

/** A commit as people are shown it. */
interface WorkCommit {
  readonly id: string
  readonly subject: string
  readonly author: string
  /** In milliseconds since the epoch. */
  readonly at: number
}

/** What was done on a branch. */
export interface BranchWork {
  readonly head: string
  /** The commit that the work is compared with. */
  readonly base: string
  /** The newest first. */
  readonly commits: readonly WorkCommit[]
  /** Whether there are more commits than `commits` holds. */
  readonly hasMore: boolean
  /** What all commits change together; of files that are no text only the names. */
  readonly patch: string
  readonly isPatchWhole: boolean
}

const mostCommits = 100
const largestPatch = 256 * 1024

/** Options that keep colors out of the patch, and programs that attributes or the configuration name. */
const plainDiff = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--submodule=short',
  '--ignore-submodules=none',
]
const shown = ['--find-renames', '-l200', '--src-prefix=a/', '--dst-prefix=b/']

/**
 * The commits of a branch since its work began, and what they change together.
 * @returns undefined where git knows no such branch, or shares no history with the target.
 * @throws {GitError | GitSlowError}
 */
export async function branchWork(root: string, question: WorkQuestion): Promise<BranchWork | undefined> {
  const head = await firstOf(root, question.heads)
  if (head === undefined) return undefined
  const left = await commonOf(root, head, question.target)
  const base = await baseOf(root, head, left, question)
  if (base === undefined) return undefined
  // the target's own commits, which the branch may have taken in, are no work of it
  const behind = [base, ...(left === undefined || left === head ? [] : [left])].map((commit) => `^${commit}`)
  const fields = '--format=%H%x1f%an%x1f%ct%x1f%s%x00'
  const plain = ['--no-show-signature', '--no-notes', '--no-color', '--no-mailmap', '--encoding=UTF-8']
  const [log, diff] = await Promise.all([
    askGit(root, ['log', ...plain, `--max-count=${mostCommits + 1}`, fields, head, ...behind, '--']),
    askGit(
      root,
      ['-c', 'core.quotePath=false', 'diff-tree', '-r', '-p', ...plainDiff, ...shown, base, head, '--'],
      largestPatch,
    ),
  ])
  const commits = log.text.split('\0').flatMap((entry): WorkCommit[] => {
    const [id = '', author = '', at = '', subject = ''] = entry.replace(/^\n/, '').split('\u001F')
    return id === '' ? [] : [{ id, author, subject, at: Number(at) * 1000 }]
  })
  return {
    head,
    base,
    commits: commits.slice(0, mostCommits),
    hasMore: commits.length > mostCommits || !log.isWhole,
    patch: diff.text,
    isPatchWhole: diff.isWhole,
  }
}

/**
 * The commit that the work is compared with: where it branched off the target, or for work that is merged
 * already, where it branched off `start`; `before` where that is later. Undefined where the work shares no
 * history with them.
 */
async function baseOf(
  root: string,
  head: string,
  left: string | undefined,
  { start, before }: WorkQuestion,
): Promise<string | undefined> {
  const isMerged = left === undefined || left === head
  const base = isMerged && start !== undefined ? await commonOf(root, head, start) : left
  if (base === undefined || before === undefined) return base
  const [isBefore, isOlder] = await Promise.all([
    isAncestor(root, before, head),
    isAncestor(root, before, base),
  ])
  return isBefore && !isOlder ? before : base
}

async function firstOf(root: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const commit = await lineOf(root, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)
    if (commit !== undefined) return commit
  }
  return undefined
}

function commonOf(root: string, one: string, another: string): Promise<string | undefined> {
  return lineOf(root, 'merge-base', one, another)
}

async function isAncestor(root: string, commit: string, of: string): Promise<boolean> {
  return (await lineOf(root, 'merge-base', '--is-ancestor', commit, of)) !== undefined
}

/** The first line of an answer; undefined where git says no. */
async function lineOf(root: string, ...args: string[]): Promise<string | undefined> {
  try {
    return (await askGit(root, args)).text.split('\n')[0]
  } catch (error) {
    if (error instanceof GitError) return undefined
    throw error
  }
}
