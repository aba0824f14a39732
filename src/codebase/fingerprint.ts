import { createHash } from 'node:crypto'
import { accessSync, constants, copyFileSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { FedError } from '../errors.ts'
import { git, gitWith } from '../git.ts'
import { hasCode } from '../storage/system-error.ts'

/** A file that git does not know, or that differs from its index, is compared by its content up to this size. */
const largestContent = 8 * 1_048_576

/** Everything of a work tree that an agent who only reads leaves as it is. Other branches and refs are not in it. */
export interface Fingerprint {
  /** The commit that is checked out; empty before the first. */
  readonly head: string
  /** The branch that is checked out; empty when none is. */
  readonly branch: string
  /** Digest of the index. */
  readonly index: string
  /** A git tree of the files as they lie there, tracked or not; what git ignores is not in it. */
  readonly tree: string
  /** What git would have to read and is large, or may not be read: each with its size and time. */
  readonly opaque: readonly string[]
}

/** Where fingerprints keep what git must remember of them, so that the repository gets not even an object. */
export interface FingerprintStore {
  readonly root: string
  /** A folder of its own. */
  readonly folder: string
}

/**
 * Takes a work tree's fingerprint. git's index tells what is unchanged, so only what differs from it is read.
 * @throws {FedError} when git cannot.
 */
export function fingerprint(store: FingerprintStore): Fingerprint {
  const { root } = store
  const index = path.resolve(root, git(root, 'rev-parse', '--git-path', 'index'))
  const own = path.join(store.folder, 'index')
  prepareObjects(store)
  try {
    copyFileSync(index, own)
  } catch (error) {
    // nothing was ever added
    if (!hasCode(error, 'ENOENT')) throw error
    within(store, ['read-tree', '--empty'])
  }
  const touched = [
    ...within(store, ['diff-files', '--name-only', '-z']).split('\0'),
    ...within(store, ['ls-files', '--others', '--exclude-standard', '-z']).split('\0'),
  ].filter((name) => name !== '' && !name.endsWith('/'))
  const opaque: string[] = []
  const readable: string[] = []
  for (const name of new Set(touched)) {
    const stat = lstatSync(path.join(root, name), { throwIfNoEntry: false })
    if (stat !== undefined && stat.isFile() && (stat.size > largestContent || !isReadable(root, name)))
      opaque.push(`${name} ${stat.size} ${stat.mtimeMs}`)
    else readable.push(name)
  }
  within(store, ['update-index', '--add', '--remove', '-z', '--stdin'], readable.join('\0'))
  return {
    head: orNothing(root, 'rev-parse', '--verify', '--quiet', 'HEAD'),
    branch: orNothing(root, 'symbolic-ref', '--quiet', 'HEAD'),
    index: createHash('sha256')
      .update(git(root, 'ls-files', '--stage', '-z'))
      .digest('hex'),
    tree: within(store, ['write-tree']),
    opaque: opaque.toSorted(),
  }
}

/** What differs between two fingerprints, a line each; none when nothing does. */
export function differences(store: FingerprintStore, before: Fingerprint, after: Fingerprint): string[] {
  const moved = (what: string, from: string, to: string) =>
    from === to ? [] : [`${what}: ${from || 'none'} → ${to || 'none'}`]
  const files =
    before.tree === after.tree
      ? []
      : within(store, ['diff-tree', '-r', '--name-status', '--no-renames', before.tree, after.tree])
          .split('\n')
          .map((line) => line.replace('\t', ' '))
  return [
    ...moved('branch', before.branch, after.branch),
    ...moved('commit', before.head, after.head),
    ...(before.index === after.index ? [] : ['the index']),
    ...files,
    ...after.opaque.filter((one) => !before.opaque.includes(one)).map((one) => `M ${one}`),
    ...before.opaque
      .filter((one) => !after.opaque.some((other) => nameOf(other) === nameOf(one)))
      .map((one) => `D ${one}`),
  ]
}

function nameOf(opaque: string): string {
  return opaque.split(' ').slice(0, -2).join(' ')
}

/** The difference of the files' contents as a patch. */
export function patchBetween(store: FingerprintStore, before: Fingerprint, after: Fingerprint): string {
  return within(store, [
    'diff-tree',
    '-r',
    '-p',
    '--binary',
    '--no-ext-diff',
    '--no-renames',
    before.tree,
    after.tree,
  ])
}

function isReadable(root: string, name: string): boolean {
  try {
    accessSync(path.join(root, name), constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** What git prints; empty where it says no. */
function orNothing(root: string, ...args: string[]): string {
  try {
    return git(root, ...args)
  } catch (error) {
    if (error instanceof FedError) return ''
    throw error
  }
}

/** Reads from the repository's objects as well, and writes only here. */
function prepareObjects({ root, folder }: FingerprintStore): void {
  const repositorys = path.resolve(root, git(root, 'rev-parse', '--git-path', 'objects'))
  mkdirSync(path.join(folder, 'objects', 'info'), { recursive: true })
  writeFileSync(path.join(folder, 'objects', 'info', 'alternates'), `${repositorys}\n`)
}

/** git with an index and an object store of its own. */
function within({ root, folder }: FingerprintStore, args: readonly string[], input?: string): string {
  const env = {
    GIT_INDEX_FILE: path.join(folder, 'index'),
    GIT_OBJECT_DIRECTORY: path.join(folder, 'objects'),
  }
  return gitWith(root, args, { env, ...(input === undefined ? {} : { input }) })
}
