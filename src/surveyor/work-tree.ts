import { git, nulList } from './git-command.ts'

// into a submodule git would go with that one's configuration
const plainDiff = ['--no-renames', '--no-ext-diff', '--ignore-submodules=dirty']

/** One entry of git's index (or an untracked file where there is no commit), relative to the surveyed root. */
export interface TreeEntry {
  path: string
  kind: 'file' | 'symbolic link' | 'submodule'
}

export interface Head {
  commit: string
  /** Day of the commit, `YYYY-MM-DD`. */
  date: string
}

/** What git says of a work tree before any file is opened. */
export interface WorkTree {
  /** The commit that is checked out; undefined in a repository without commits. */
  head: Head | undefined
  /**
   * The files of the project below the root, sorted. Tracked files; in a repository without commits also what
   * is untracked and not ignored, since a project that was never committed is all untracked.
   */
  tree: TreeEntry[]
  /** Tracked files that differ from HEAD in any way. */
  changed: string[]
  /** Files that are neither tracked nor ignored, sorted; a folder that is a repository of its own is none. */
  untracked: string[]
}

/** Asks git everything at once. */
export async function readWorkTree(root: string): Promise<WorkTree> {
  const [head, entries, changes, untracked] = await Promise.all([
    readHead(root),
    readIndex(root),
    git(root, ['diff', '--name-only', '--relative', ...plainDiff, '-z', 'HEAD']),
    listUntracked(root),
  ])
  return {
    head,
    tree: joined(entries, head === undefined ? untracked : []),
    changed: nulList(changes),
    untracked,
  }
}

/** The paths of the project (see `WorkTree`), from names alone. */
export async function listFiles(root: string): Promise<string[]> {
  const [head, entries] = await Promise.all([readHead(root), readIndex(root)])
  return joined(entries, head === undefined ? await listUntracked(root) : []).map(({ path }) => path)
}

const joined = (entries: TreeEntry[], untracked: string[]): TreeEntry[] => {
  const byPath = new Map(untracked.map((path): [string, TreeEntry] => [path, { path, kind: 'file' }]))
  for (const entry of entries) byPath.set(entry.path, entry)
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

async function readHead(root: string): Promise<Head | undefined> {
  const [commit, date] = ((await git(root, ['log', '-1', '--format=%H %cs'])) ?? '').trim().split(' ')
  return commit === undefined || commit === '' || date === undefined ? undefined : { commit, date }
}

/** Whether `root` is inside a git work tree. */
export const isRepository = async (root: string): Promise<boolean> =>
  (await git(root, ['rev-parse', '--is-inside-work-tree']))?.trim() === 'true'

async function readIndex(root: string): Promise<TreeEntry[]> {
  return nulList(await git(root, ['ls-files', '-s', '-z'])).flatMap((line): TreeEntry[] => {
    const tab = line.indexOf('\t')
    const mode = line.slice(0, 6)
    return tab < 0
      ? []
      : [
          {
            path: line.slice(tab + 1),
            kind: mode === '120000' ? 'symbolic link' : mode === '160000' ? 'submodule' : 'file',
          },
        ]
  })
}

const listUntracked = async (root: string): Promise<string[]> =>
  nulList(await git(root, ['ls-files', '-o', '--exclude-standard', '-z']))
    .filter((path) => !path.endsWith('/'))
    .toSorted()

/** Paths that `.gitattributes` marks as generated or vendored, and those that it says are neither. */
export interface Marks {
  generated: Set<string>
  vendored: Set<string>
  ordinary: Set<string>
}

/** Marks as GitHub reads them. */
export async function listAttributed(root: string, paths: readonly string[]): Promise<Marks> {
  const found: Marks = {
    generated: new Set<string>(),
    vendored: new Set<string>(),
    ordinary: new Set<string>(),
  }
  const output = await git(
    root,
    ['check-attr', '-z', '--stdin', 'linguist-generated', 'linguist-vendored'],
    paths.map((path) => `${path}\0`).join(''),
  )
  const fields = (output ?? '').split('\0')
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [path = '', attribute, value] = [fields[at], fields[at + 1], fields[at + 2]]
    if (value === 'set' || value === 'true')
      found[attribute === 'linguist-generated' ? 'generated' : 'vendored'].add(path)
    if (value === 'unset' || value === 'false') found.ordinary.add(path)
  }
  return found
}

/** Which of these paths, that need not be there, git ignores. */
export async function listIgnored(root: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set()
  const input = paths.map((path) => `${path}\0`).join('')
  return new Set(nulList(await git(root, ['check-ignore', '-z', '--stdin'], input)))
}
