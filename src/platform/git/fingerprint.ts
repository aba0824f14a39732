import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, lstatSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as z from 'zod/mini'
import { unless } from '../../errors/unless.ts'
import { FedError } from '../../errors/fed-error.ts'
import { git, gitOrNothing, gitWith } from './git.ts'
import { disk, WRITABLE } from '../storage/disk.ts'
import { readOutside } from '../storage/outside-file.ts'
import { makeFolders, remove } from '../storage/without-links.ts'
import { copyIndex, entries, showHidden, takeUp, type OwnGit } from './own-index.ts'
import { submodulesOf } from './work-tree-status.ts'

/** Largest untracked or changed file that is compared by its content, in bytes. */
const largestContent = 8 * 1_048_576

const objectName = z.string().check(z.regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/))

/**
 * The state of a work tree, which tells whether an agent that may only read changed anything. Other branches
 * and refs are not in it. It is plain data, so that the process that follows a killed one can compare it; and
 * it is checked, because agents can write where it is kept.
 */
export const fingerprintSchema = z.strictObject({
  /** The commit that is checked out; empty before the first. */
  head: z.string(),
  /** The branch that is checked out; empty when none is. */
  branch: z.string(),
  /** Digest of the index, and of its marks `assume-unchanged` and `skip-worktree`. */
  index: z.string(),
  /** Digests of the rules outside of the work tree that could hide a change, by where they stand. */
  rules: z.record(z.string(), z.string()),
  /**
   * A git tree of the files as they lie there, tracked or not. What git ignores is not in it, but for the files
   * by which it ignores and converts.
   */
  tree: objectName,
  /** Files that git would have to read but that are too large or unreadable: `<bytes> <mtime>` by path. */
  opaque: z.record(z.string(), z.string()),
  /** Repositories inside, by their folder: submodules that are checked out, and others. */
  get inside() {
    return z.record(z.string(), fingerprintSchema)
  },
})

export type Fingerprint = z.infer<typeof fingerprintSchema>

/** Where fingerprints keep an index and objects of their own: nothing is written into the repository. */
export interface FingerprintStore {
  readonly root: string
  /** A folder of its own. */
  readonly folder: string
  /** Folder of another store, whose objects are read as well: to compare with what was taken there. */
  readonly borrows?: string
}

/** What differs between two fingerprints. */
export interface Difference {
  /** In words, such as `M src/app.ts`. */
  readonly line: string
  /** The file that it is about, below the root. */
  readonly file?: string
}

/**
 * Takes a work tree's fingerprint. git's index tells what is unchanged, so only what differs from it is read.
 * @throws {FedError} when git cannot.
 */
export function fingerprint(store: FingerprintStore): Fingerprint {
  const { root } = store
  const { index, objects, excludes, head, branch } = standOf(root)
  prepareObjects(store, objects)
  const staged = git(root, 'ls-files', '--stage', '-v', '-z')
  const within = ownGit(store)
  copyIndex(index, ownIndex(store), within)
  showHidden(root, staged, within)
  const modules = submodulesOf(staged)
  const unfilled = modules.filter((name) => !existsSync(path.join(root, name, '.git')))
  // of the folder of a submodule that is not checked out git would tell nothing
  if (unfilled.length > 0) within(['update-index', '--force-remove', '-z', '--stdin'], unfilled.join('\0'))
  const others = entries(within(['ls-files', '--others', '--exclude-standard', '-z']))
  const touched = [
    ...entries(within(['diff-files', '--name-only', '--ignore-submodules=dirty', '-z'])),
    ...others,
    ...entries(
      within(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']),
    ).filter((name) => rulesTracked(name, staged)),
  ].filter((name) => !name.endsWith('/'))
  const opaque = new Map<string, string>()
  const readable: string[] = []
  for (const name of new Set(touched)) {
    const stat = lstatSync(path.join(root, name), { throwIfNoEntry: false })
    if (stat !== undefined && stat.isFile() && (stat.size > largestContent || !isReadable(root, name)))
      opaque.set(name, `${stat.size} ${stat.mtimeMs}`)
    else readable.push(name)
  }
  if (readable.length > 0) takeUp(readable, within)
  return {
    head,
    branch,
    index: digest(staged),
    rules: rulesOf(root, path.dirname(excludes)),
    tree: within(['write-tree']),
    opaque: Object.fromEntries(opaque),
    inside: insideOf(store, [...modules, ...others.filter((name) => name.endsWith('/'))]),
  }
}

/** Paths of git's own files for a work tree, and what is checked out; one call of git tells all of it. */
function standOf(root: string) {
  const places = ['index', 'objects', 'info/exclude']
  const asked = places.flatMap((name) => ['--git-path', name])
  const answer = gitOrNothing(root, 'rev-parse', ...asked, 'HEAD', '--symbolic-full-name', 'HEAD')
  const lines = /^(.*)\n(.*)\n(.*)\n([0-9a-f]{40,64})\n(HEAD|refs\/.*)$/.exec(answer ?? '')?.slice(1)
  // there is no commit yet, or a line break in a path
  const [index = '', objects = '', excludes = '', head = '', branch = ''] = lines ?? [
    ...places.map((name) => git(root, 'rev-parse', '--git-path', name)),
    gitOrNothing(root, 'rev-parse', '--verify', '--quiet', 'HEAD'),
    gitOrNothing(root, 'symbolic-ref', '--quiet', 'HEAD'),
  ]
  return {
    index: path.resolve(root, index),
    objects: path.resolve(root, objects),
    excludes: path.resolve(root, excludes),
    head,
    branch: branch === 'HEAD' ? '' : branch,
  }
}

/**
 * Digests of what decides, beside the work tree's own files, which of these git ignores and how it converts them:
 * git's settings, and the files of the repository and of the person.
 */
function rulesOf(root: string, info: string): Fingerprint['rules'] {
  const settings = git(root, 'config', '--null', '--get-regexp', '^(core|filter)\\.')
  const configured = (key: string) =>
    entries(settings)
      .findLast((entry) => entry.startsWith(`core.${key}\n`))
      ?.replace(/^.*\n/, '')
  const persons = path.join(process.env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'git')
  const files = {
    'info/exclude': path.join(info, 'exclude'),
    'info/attributes': path.join(info, 'attributes'),
    'core.excludesFile': configured('excludesfile') ?? path.join(persons, 'ignore'),
    'core.attributesFile': configured('attributesfile') ?? path.join(persons, 'attributes'),
  }
  const digests = Object.entries(files).map(([name, file]): [string, string] => {
    const place = path.resolve(root, file.replace(/^~(?=\/)/, os.homedir()))
    const read = readOutside(place, { largestBytes: largestContent, followLinks: true, anyBytes: true })
    return [name, digest(read.kind === 'text' ? read.text : '')]
  })
  return { ...Object.fromEntries(digests), 'the settings core.* and filter.*': digest(settings) }
}

/** Whether a file is one of git's rules, and tracked files lie beside or below it: a tool's own cache has none. */
function rulesTracked(name: string, staged: string): boolean {
  const { dir, base } = path.posix.parse(name)
  if (base !== '.gitignore' && base !== '.gitattributes') return false
  return dir === '' || staged.includes(`\t${dir}/`)
}

function insideOf(store: FingerprintStore, folders: readonly string[]): Record<string, Fingerprint> {
  const inside = new Map<string, Fingerprint>()
  for (const name of folders.map((folder) => folder.replace(/\/$/, ''))) {
    // a submodule that is not checked out has no files here
    if (!existsSync(path.join(store.root, name, '.git'))) continue
    // one that git does not trust, or that is none: what is in it nobody can tell
    unless(FedError, () => inside.set(name, fingerprint(storeInside(store, name))))
  }
  return Object.fromEntries(inside)
}

function storeInside({ root, folder, borrows }: FingerprintStore, name: string): FingerprintStore {
  const within = path.join('inside', digest(name))
  return {
    root: path.join(root, name),
    folder: path.join(folder, within),
    ...(borrows !== undefined && { borrows: path.join(borrows, within) }),
  }
}

/** What differs between two fingerprints; empty when nothing does. */
export function differences(store: FingerprintStore, before: Fingerprint, after: Fingerprint): Difference[] {
  const moved = (what: string, from: string, to: string) =>
    from === to ? [] : [{ line: `${what}: ${from || 'none'} → ${to || 'none'}` }]
  const opaque = Object.entries(after.opaque).filter(
    ([name, about]) => valueOf(before.opaque, name) !== about,
  )
  const gone = Object.entries(before.opaque).filter(([name]) => valueOf(after.opaque, name) === undefined)
  return [
    ...moved('branch', before.branch, after.branch),
    ...moved('commit', before.head, after.head),
    ...(before.index === after.index ? [] : [{ line: 'the index' }]),
    ...Object.keys(after.rules)
      .filter((name) => valueOf(before.rules, name) !== after.rules[name])
      .map((name) => ({ line: `the rules in ${name}` })),
    ...filesBetween(store, before, after),
    ...opaque.map(([name, about]) => ({ line: `M ${name} ${about}`, file: name })),
    ...gone.map(([name, about]) => ({ line: `D ${name} ${about}`, file: name })),
    ...differencesInside(store, before.inside, after.inside),
  ]
}

function filesBetween(store: FingerprintStore, before: Fingerprint, after: Fingerprint): Difference[] {
  if (before.tree === after.tree) return []
  const list = entries(
    ownGit(store)(['diff-tree', '-r', '--name-status', '--no-renames', '-z', before.tree, after.tree]),
  )
  return list.flatMap((status, at) => {
    const file = list[at + 1]
    return at % 2 === 1 || file === undefined ? [] : [{ line: `${status} ${file}`, file }]
  })
}

function differencesInside(
  store: FingerprintStore,
  before: Fingerprint['inside'],
  after: Fingerprint['inside'],
): Difference[] {
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const [was, is] = [valueOf(before, name), valueOf(after, name)]
    if (was === undefined) return [{ line: `A ${name}/, a repository`, file: name }]
    if (is === undefined) return [{ line: `D ${name}/, a repository`, file: name }]
    return differences(storeInside(store, name), was, is).map(({ line, file }) =>
      file === undefined
        ? { line: `${line} (in ${name})` }
        : { line: line.replace(' ', ` ${name}/`), file: path.join(name, file) },
    )
  })
}

/** The difference of the files' contents as a patch. */
export function patchBetween(
  store: FingerprintStore,
  before: Fingerprint,
  after: Fingerprint,
  folder = '',
): string {
  const prefixes = [`--src-prefix=a/${folder}`, `--dst-prefix=b/${folder}`]
  const format = ['-r', '-p', '--binary', '--no-ext-diff', '--no-renames', ...prefixes]
  const own = ownGit(store)(['diff-tree', ...format, before.tree, after.tree])
  const inside = Object.entries(before.inside).flatMap(([name, was]) => {
    const is = valueOf(after.inside, name)
    return is === undefined ? [] : patchBetween(storeInside(store, name), was, is, `${folder}${name}/`)
  })
  return [own, ...inside].filter((patch) => patch !== '').join('\n')
}

/** The record's own value; a file may be named like an inherited property, such as `constructor`. */
function valueOf<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function isReadable(root: string, name: string): boolean {
  try {
    accessSync(path.join(root, name), constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Makes the store's folder of objects: git writes only there, and reads the repository's objects as well. */
function prepareObjects({ folder, borrows }: FingerprintStore, repositorys: string): void {
  const others = borrows === undefined ? [] : [path.join(borrows, 'objects')]
  for (const dir of [
    path.dirname(folder),
    folder,
    path.join(folder, 'objects'),
    path.join(folder, 'objects', 'info'),
  ])
    makeRealFolder(dir)
  const file = path.join(folder, 'objects', 'info', 'alternates')
  const text = [repositorys, ...others].map((objects) => `${objects}\n`).join('')
  // an agent can write here: nothing that lies at this name is opened
  remove(file)
  disk.create(file, text, { mode: WRITABLE, isDurable: false })
}

/** Makes a folder where there is none; a link in its place is taken away. */
function makeRealFolder(dir: string): void {
  const stat = lstatSync(dir, { throwIfNoEntry: false })
  if (stat !== undefined && !stat.isDirectory()) remove(dir)
  makeFolders(dir)
}

function ownIndex({ folder }: FingerprintStore): string {
  return path.join(folder, 'index')
}

/** git with an index and an object store of its own. */
function ownGit(store: FingerprintStore): OwnGit {
  const env = {
    GIT_INDEX_FILE: ownIndex(store),
    GIT_OBJECT_DIRECTORY: path.join(store.folder, 'objects'),
  }
  return (args, input) => gitWith(store.root, args, { env, ...(input === undefined ? {} : { input }) })
}
