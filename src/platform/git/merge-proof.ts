import { devNull } from 'node:os'
import { unless } from '../../errors/unless.ts'
import type { MergeProof } from '../../../machines/team-event.ts'
import { GitError } from '../../errors/git-errors.ts'
import { gitVersion, gitWith, isOlder } from './git.ts'
import { entries } from './own-index.ts'

/** The oldest git that merges without a work tree, which is needed to find work that came as one commit. */
export const oldestMergingGit = [2, 38] as const

/** The question whether some work came into a target; each value is a commit. */
export interface MergeQuestion {
  /** The last commit of the work. */
  readonly work: string
  /** The target as it is now. */
  readonly target: string
  /** The target when the work began; undefined where the target's history no longer holds this commit. */
  readonly start: string | undefined
}

/** At most how many of the target's commits that touch only files of the work are tried, the newest first. */
const mostTried = 200

/** Variables by which git ignores replacements and grafts, which anybody can make in a clone. */
const asCommitted = { GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: devNull }

/** Options by which a difference shows every file, whatever the repository says of it. */
const whole = ['--no-renames', '--no-ext-diff', '--ignore-submodules=none']

/** At most how many of the target's commits that touch any file of the work are looked through for them. */
const mostSeen = 10_000

/** At most how many paths are given to git on its command line. */
const mostPaths = 200

/**
 * How the work came into the target: its commits are there, or each of its patches is, or one commit has the tree
 * that merging the work into that commit's parent gives. Null when none of it is so.
 */
export function mergeProof(root: string, question: MergeQuestion): MergeProof | null {
  if (isAncestor(root, question.work, question.target)) return 'commits'
  if (hasEachPatch(root, question)) return 'patches'
  return hasBeenSquashed(root, question) ? 'squash' : null
}

/** What this git cannot detect because it is too old, in words; undefined when it can detect everything. */
export function unseenBy(root: string): string | undefined {
  const { name, numbers } = gitVersion(root)
  return isOlder(numbers, oldestMergingGit)
    ? `${name} cannot tell whether it was squashed into one commit, git ${oldestMergingGit.join('.')} can`
    : undefined
}

export function isAncestor(root: string, commit: string, of: string): boolean {
  return gitOrNothing(root, 'merge-base', '--is-ancestor', commit, of) !== undefined
}

/** How many commits are in the history of `of`, and not in that of `not`. */
export function countCommits(root: string, of: readonly string[], not: readonly string[]): number {
  return Number(git(root, 'rev-list', '--count', ...of, '--not', ...not))
}

/** git that sees the history as it was committed. */
function git(root: string, ...args: string[]): string {
  return gitWith(root, args, { env: asCommitted })
}

function gitOrNothing(root: string, ...args: string[]): string | undefined {
  return unless(GitError, () => git(root, ...args))
}

function treeOf(root: string, commit: string): string {
  return git(root, 'rev-parse', '--verify', `${commit}^{tree}`)
}

/**
 * Whether the target has each of the work's patches, committed since the work began. A merge among the commits
 * may hold what no patch shows, so with one there the patches prove nothing.
 */
function hasEachPatch(root: string, { work, target, start }: MergeQuestion): boolean {
  if (git(root, 'rev-list', '--count', '--merges', work, `^${target}`) !== '0') return false
  // one line for each commit, as 'git cherry' finds them: an equals sign where the other side has its patch
  const range = [`${target}...${work}`, ...(start === undefined ? [] : [`^${start}`])]
  const marked = (side: string) => entries(git(root, 'rev-list', side, '--cherry-mark', ...range), '\n')
  const commits = marked('--right-only')
  const missing = commits.filter((line) => !line.startsWith('=')).map((line) => line.slice(1))
  if (missing.length === commits.length || !missing.every((commit) => isEmpty(root, commit))) return false
  const patches = (lines: readonly string[]) =>
    lines.filter((line) => line.startsWith('=')).map((line) => patchOf(root, line.slice(1)))
  const there = new Set(patches(marked('--left-only')))
  return patches(commits).every((patch) => there.has(patch))
}

/** The lines of a commit's patch with their white space; what is around them, 'git cherry' has compared. */
function patchOf(root: string, commit: string): string {
  return git(root, 'diff-tree', '--unified=0', '--root', '--no-commit-id', '--no-textconv', ...whole, commit)
    .split('\n')
    .filter((line) => !line.startsWith('index '))
    .map((line) => (line.startsWith('@@ ') ? '@@' : line))
    .join('\n')
}

/** Whether a commit changes nothing: it has no patch, and a rebase leaves it out. */
function isEmpty(root: string, commit: string): boolean {
  return treeOf(root, commit) === gitOrNothing(root, 'rev-parse', '--verify', '--quiet', `${commit}~1^{tree}`)
}

function hasBeenSquashed(root: string, { work, target, start }: MergeQuestion): boolean {
  if (unseenBy(root) !== undefined) return false
  const range = start === undefined ? [target] : [target, `^${start}`]
  const paths = changedSince(root, target, work)
  if (paths.length === 0) return false
  const withoutDrivers = silencedDrivers(root)
  return touching(root, range, paths).some((commit) => {
    const parent = gitOrNothing(root, 'rev-parse', '--verify', '--quiet', `${commit}~1`)
    if (parent === undefined || isEmpty(root, commit)) return false
    return mergedTree(root, parent, work, withoutDrivers) === treeOf(root, commit)
  })
}

/** Commits that change some of these files and no others, the newest first. */
function touching(root: string, range: readonly string[], paths: readonly string[]): string[] {
  const walk = ['--full-history', '--no-merges', `--max-count=${mostSeen}`, '--full-diff']
  const known = new Set(paths)
  return log(root, ...walk, ...range, '--', ...paths.slice(0, mostPaths))
    .flatMap(({ commit, files }) => (files.every((name) => known.has(name)) ? [commit] : []))
    .slice(0, mostTried)
}

/** Commits in the history of `of` and not in that of `not`, with what each changes; of a merge, in its first parent. */
export function commitsBetween(root: string, of: string, not: readonly string[]): ChangingCommit[] {
  return log(root, '--diff-merges=first-parent', of, '--not', ...not, '--')
}

interface ChangingCommit {
  readonly commit: string
  readonly files: readonly string[]
}

function log(root: string, ...which: readonly string[]): ChangingCommit[] {
  const shown = ['--name-only', ...whole, '-z', '--format=%x00%H']
  // each entry: its commit, a line break, its files; an empty one stands between two
  return git(root, '--literal-pathspecs', 'log', ...shown, ...which)
    .split('\0\0')
    .flatMap((entry) => {
      const [commit, ...files] = entries(entry.replace('\n', '\0'))
      return commit === undefined ? [] : [{ commit, files }]
    })
}

/** Files that a commit changes since it branched off `base`; none where the two share no history. */
function changedSince(root: string, base: string, commit: string): string[] {
  return namesBetween(root, `${base}...${commit}`)
}

/** Files of a target that merging the work would change; none where the work came there in another way. */
export function broughtBy(root: string, work: string, target: string): string[] {
  const changed = changedSince(root, target, work)
  if (changed.length === 0 || hasEachPatch(root, { work, target, start: undefined })) return []
  const merged = unseenBy(root) === undefined ? mergedTree(root, target, work) : undefined
  // with a conflict the two differ, too
  return merged === undefined ? changed : namesBetween(root, treeOf(root, target), merged)
}

function namesBetween(root: string, ...commits: readonly string[]): string[] {
  const names = ['diff', '--name-only', ...whole, '-z', ...commits, '--']
  return entries(gitOrNothing(root, ...names) ?? '')
}

/** The tree that merging two commits gives; undefined where they conflict. */
function mergedTree(
  root: string,
  ours: string,
  theirs: string,
  drivers = silencedDrivers(root),
): string | undefined {
  const plain = [...drivers, '-c', 'merge.renormalize=false']
  return gitOrNothing(root, ...plain, 'merge-tree', '--write-tree', '--no-messages', ours, theirs)
}

/** Options that let each configured merge driver fail: it is a program, and looking must not start one. */
function silencedDrivers(root: string): string[] {
  const configured = gitOrNothing(
    root,
    'config',
    '--name-only',
    '-z',
    '--get-regexp',
    '^merge\\..*\\.driver$',
  )
  return entries(configured ?? '').map((name) => `--config-env=${name}=FED_NO_PROGRAM`)
}
