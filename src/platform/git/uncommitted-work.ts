import { lstatSync, rmSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { copyIndex, entries, showHidden, takeUp, type OwnGit } from './own-index.ts'
import { GitError } from '../../errors/git-errors.ts'
import { unless } from '../../errors/unless.ts'
import { git, gitOrNothing, gitWith } from './git.ts'
import { changedSubmodules, submodulesOf } from './work-tree-status.ts'
import { isPowerSafe } from '../storage/disk.ts'

/** A work tree as it lies there: everything that git does not ignore, committed or not. */
export interface Snapshot {
  /** The commit that is checked out, undefined before the first. */
  readonly head: string | undefined
  /** Tree of the files. */
  readonly tree: string
  /** Tree of what is staged, where it is neither of the two others. */
  readonly staged: string | undefined
}

/** Who commits what nobody committed. */
const author = {
  GIT_AUTHOR_NAME: 'fed',
  GIT_AUTHOR_EMAIL: 'fed@localhost',
  GIT_COMMITTER_NAME: 'fed',
  GIT_COMMITTER_EMAIL: 'fed@localhost',
}

/** git leaves it to the kernel when an object reaches the disk; what is rescued must be there before the rest goes. */
export function durableGit(): Record<string, string> {
  if (!isPowerSafe()) return {}
  const count = Number(process.env.GIT_CONFIG_COUNT ?? 0)
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'core.fsync',
    [`GIT_CONFIG_VALUE_${count}`]: 'all',
  }
}

/**
 * Files of a work tree with uncommitted changes, as git shows them, and those that git was told to take for
 * unchanged; what it ignores is none.
 */
export function uncommittedFiles(workspace: string): string[] {
  return withOwnIndex(workspace, (within) => {
    const staged = within(['ls-files', '--stage', '-v', '-z'])
    showHidden(workspace, staged, within)
    const look = ['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=dirty']
    const files = entries(within([...look, '--no-renames', '-z'])).map((entry) => entry.slice(3))
    const changed = changedSubmodules(workspace, submodulesOf(staged))
    return [...files, ...changed.filter((name) => !files.includes(name))]
  })
}

/**
 * Takes a snapshot without touching the work tree or its index; undefined when nothing is uncommitted.
 * @param next commit that is to be checked out: files that git ignores count where the commit has one of that name.
 * @throws {GitError} such as for a file that may not be read.
 */
export function uncommittedWork(workspace: string, next?: string): Snapshot | undefined {
  return withOwnIndex(workspace, (within) => {
    // an index with conflicts is no tree
    const staged = unless(GitError, () => within(['write-tree']))
    showHidden(workspace, within(['ls-files', '-v', '-z']), within)
    const touched = [
      ...entries(within(['diff-files', '--name-only', '--ignore-submodules=dirty', '-z'])),
      ...entries(within(['ls-files', '--others', '--exclude-standard', '-z'])),
      ...(next === undefined ? [] : inTheWayOf(workspace, next, within)),
    ].filter((name) => !name.endsWith('/'))
    if (touched.length > 0) takeUp([...new Set(touched)], within)
    const tree = within(['write-tree'])
    const head = gitOrNothing(workspace, 'rev-parse', '--verify', '--quiet', 'HEAD')
    const before =
      head === undefined ? gitWith(workspace, ['mktree'], { input: '' }) : treeOf(workspace, head)
    const isStagedOnly = staged !== undefined && staged !== tree && staged !== before
    if (tree === before && !isStagedOnly) return undefined
    return { head, tree, staged: isStagedOnly ? staged : undefined }
  })
}

/** Files that git does not know here and that a commit has: checking it out writes over them. */
function inTheWayOf(workspace: string, commit: string, within: OwnGit): string[] {
  const known = new Set(entries(within(['ls-files', '-z'])))
  return entries(git(workspace, 'ls-tree', '-r', '--name-only', '-z', commit)).filter(
    (name) => !known.has(name) && lstatSync(path.join(workspace, name), { throwIfNoEntry: false })?.isFile(),
  )
}

/** Lets git work with a copy of a work tree's index. */
function withOwnIndex<Result>(workspace: string, act: (within: OwnGit) => Result): Result {
  const index = path.resolve(workspace, git(workspace, 'rev-parse', '--git-path', 'index'))
  // goes with what git knows of the worktree, also when this process is killed
  const own = `${index}.${uuid()}.rescue`
  const env = { ...durableGit(), GIT_INDEX_FILE: own }
  const within: OwnGit = (args, input) =>
    gitWith(workspace, args, input === undefined ? { env } : { env, input })
  try {
    copyIndex(index, own, within)
    return act(within)
  } finally {
    for (const file of [own, `${own}.lock`]) rmSync(file, { force: true })
  }
}

/** Commits a tree on no branch, as fed. @returns the commit. */
export function commitOf(
  dir: string,
  { tree, parents, message }: { tree: string; parents: readonly string[]; message: string },
): string {
  const words = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-m', message]
  return gitWith(dir, words, { env: { ...durableGit(), ...author } })
}

/** Commits a snapshot on no branch; what is staged is its second parent, as in a stash. */
export function commitSnapshot(workspace: string, { head, tree, staged }: Snapshot, message: string): string {
  const parents = head === undefined ? [] : [head]
  if (staged !== undefined)
    parents.push(commitOf(workspace, { tree: staged, parents, message: `${message} (staged)` }))
  return commitOf(workspace, { tree, parents, message })
}

export function treeOf(dir: string, commit: string): string {
  return git(dir, 'rev-parse', '--verify', `${commit}^{tree}`)
}
