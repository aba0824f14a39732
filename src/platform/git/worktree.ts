import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { GitError, GitTooOldError } from '../../errors/git-errors.ts'
import { readBelow } from '../storage/outside-file.ts'
import { git, gitOrNothing, gitVersion, gitWith, isOlder, oldestGit } from './git.ts'

/** The branch that a work tree has checked out; undefined when it has none. */
export function branchIn(dir: string): string | undefined {
  return gitOrNothing(dir, 'symbolic-ref', '--quiet', '--short', 'HEAD')
}

/**
 * The branch on which a team works that has a worktree, such as `fed/api-docs`.
 * @param domain the team's id.
 */
export function branchOf(domain: string): string {
  return `fed/${domain}`
}

/** What git knows of a worktree. */
export interface KnownWorktree {
  /** As git names it: links are followed. */
  readonly path: string
  /** Without `refs/heads/`; undefined while no branch is checked out. */
  readonly branch: string | undefined
  /** The commit that is checked out; undefined before the first. */
  readonly head: string | undefined
  /** Why it is locked, empty where nobody said why; undefined while it is not. */
  readonly lock: string | undefined
  /** Whether git would prune it: its folder is gone, and it is not locked. */
  readonly isPrunable: boolean
}

/** The reason that git gives for its lock on a worktree that it is just making. */
export const INITIALIZING = 'initializing'

let isGitNew = false

/**
 * Refuses a git that is too old; a process asks only once.
 * @throws {GitTooOldError}
 */
function assertNewGit(root: string): void {
  if (isGitNew) return
  const { name, numbers } = gitVersion(root)
  if (isOlder(numbers, oldestGit)) throw new GitTooOldError(name, oldestGit.join('.'))
  isGitNew = true
}

/**
 * Every worktree of the repository, the main one first.
 * @throws {GitTooOldError}
 */
export function knownWorktrees(root: string): KnownWorktree[] {
  assertNewGit(root)
  return git(root, 'worktree', 'list', '--porcelain')
    .split('\n\n')
    .map((entry) => {
      const lines = entry.split('\n')
      const value = (key: string) =>
        lines.find((line) => line === key || line.startsWith(`${key} `))?.slice(key.length + 1)
      return {
        path: value('worktree') ?? '',
        branch: value('branch')?.replace(/^refs\/heads\//, ''),
        head: /^0+$/.test(value('HEAD') ?? '0') ? undefined : value('HEAD'),
        lock: value('locked'),
        isPrunable: value('prunable') !== undefined,
      }
    })
}

/** What git knows of the worktree in this workspace; undefined where it knows of none. */
export function worktreeAt(root: string, workspace: string): KnownWorktree | undefined {
  // git says where folders really are
  const place = path.join(realpathSync(root), path.relative(root, workspace))
  return knownWorktrees(root).find((known) => known.path === place)
}

/**
 * Whether a folder is a work tree of the root's repository itself. One whose `.git` is gone or was replaced is not:
 * git, asked in it, would answer for the repository around it, which is the person's.
 */
export function isWorkTree(root: string, workspace: string): boolean {
  const answer = gitOrNothing(workspace, 'rev-parse', '--show-prefix', '--git-common-dir')
  // the first line is what leads here from the top of the work tree
  if (answer?.startsWith('\n') !== true) return false
  return realpathSync(path.resolve(workspace, answer.slice(1))) === repositoryOf(root)
}

/** git's folder, which all worktrees of the repository share; links are followed. */
export function repositoryOf(dir: string): string {
  return realpathSync(path.resolve(dir, git(dir, 'rev-parse', '--git-common-dir')))
}

/**
 * Whether a folder holds nothing but a `.git` that leads nowhere: a git that was killed while it made a worktree
 * leaves this, when what it had noted of the worktree is gone as well.
 */
export function isUnborn(workspace: string): boolean {
  if (readdirSync(workspace).join() !== '.git') return false
  if (!lstatSync(path.join(workspace, '.git')).isFile()) return false
  const place = gitFolderOf(workspace)
  return place === undefined || !existsSync(place)
}

/** Where git notes what it knows of a worktree, absolute, as the worktree says; undefined where it says nothing. */
export function gitFolderOf(workspace: string): string | undefined {
  const file = readBelow(path.join(workspace, '.git'), { largestBytes: 65_536, followLinks: false })
  const [, place] = (file.kind === 'text' && /^gitdir: (.+)$/m.exec(file.text)) || []
  return place === undefined ? undefined : path.resolve(workspace, place)
}

/**
 * How many commits of `tip` would be lost with a branch: those that no branch of another name has, here or on
 * a remote, nor the root's HEAD, nor `others`.
 * @param branch its name without `refs/heads/`.
 * @param others more arguments of `rev-list` that name refs.
 */
export function commitsOnlyIn(root: string, tip: string, branch: string, ...others: string[]): number {
  const elsewhere = [`--exclude=${branch}`, '--branches', `--exclude=*/${branch}`, '--remotes', ...others]
  const head = gitOrNothing(root, 'rev-parse', '--verify', '--quiet', 'HEAD')
  return Number(git(root, 'rev-list', '--count', tip, '--not', ...elsewhere, ...(head ? [head] : [])))
}

/** Whether a worktree without a branch has commits checked out that no branch and no rescued work holds. */
export function hasOwnCommits(root: string, { head, branch }: KnownWorktree): boolean {
  if (head === undefined || branch !== undefined) return false
  return git(root, 'rev-list', '--count', head, '--not', '--branches', '--remotes', '--glob=fed/*') !== '0'
}

/** Which commit each name stands for, asked in one go; undefined where there is none. */
export function commitsOf(root: string, names: readonly string[]): (string | undefined)[] {
  // a line for each, in order
  const input = names.map((name) => `${name.replaceAll('\n', ' ')}^{commit}\n`).join('')
  return (
    unless(GitError, () => {
      const lines = gitWith(root, ['cat-file', '--batch-check=%(objectname)'], { input }).split('\n')
      return lines.map((line) => (/^[0-9a-f]+$/.test(line) ? line : undefined))
    }) ?? names.map(() => undefined)
  )
}

/** The last commit of a branch, by its name without `refs/heads/`; undefined where there is none. */
export function tipOf(root: string, branch: string): string | undefined {
  return gitOrNothing(root, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`)
}
