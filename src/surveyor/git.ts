import { execFileSync, spawn } from 'node:child_process'

/** One entry of git's index (or an untracked file where there is no commit), relative to the surveyed root. */
export interface TreeEntry {
  path: string
  /** Blob id; empty for an untracked file, which git has not hashed. */
  blob: string
  kind: 'file' | 'symbolic link' | 'submodule'
}

export interface Head {
  commit: string
  /** Day of the commit, `YYYY-MM-DD`. */
  date: string
}

// `--no-optional-locks`: a survey reads, it must not even refresh the index. Names as they are, never quoted.
const BASE = ['--no-optional-locks', '-c', 'core.quotePath=false']

/** Output of a git command in `root`; undefined where git exits with other than 0. */
function git(root: string, args: string[], input?: string): string | undefined {
  try {
    return execFileSync('git', [...BASE, ...args], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      stdio: ['pipe', 'pipe', 'ignore'],
      input: input ?? '',
    })
  } catch (error) {
    if (typeof (error as { status?: unknown }).status === 'number') return undefined
    throw error
  }
}

const nulList = (text: string | undefined): string[] => (text ?? '').split('\0').filter((item) => item !== '')

/** The commit that is checked out; undefined in a repository without commits. */
export function readHead(root: string): Head | undefined {
  const [commit, date] = (git(root, ['log', '-1', '--format=%H %cs']) ?? '').trim().split(' ')
  return commit === undefined || commit === '' || date === undefined ? undefined : { commit, date }
}

/** Whether `root` is inside a git work tree. */
export const isRepository = (root: string): boolean =>
  git(root, ['rev-parse', '--is-inside-work-tree'])?.trim() === 'true'

/**
 * The files of the project below `root`, sorted. Tracked files; in a repository without commits also what is
 * untracked and not ignored, since a project that was never committed is all untracked.
 */
export function listTree(root: string, hasHead: boolean): TreeEntry[] {
  const entries = new Map<string, TreeEntry>()
  for (const line of nulList(git(root, ['ls-files', '-s', '-z']))) {
    const [, mode, blob, path] = /^(\d+) ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? []
    if (mode === undefined || blob === undefined || path === undefined) continue
    entries.set(path, {
      path,
      blob,
      kind: mode === '120000' ? 'symbolic link' : mode === '160000' ? 'submodule' : 'file',
    })
  }
  if (!hasHead) {
    for (const path of listUntracked(root)) {
      if (!entries.has(path)) entries.set(path, { path, blob: '', kind: 'file' })
    }
  }
  return [...entries.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

/** Files that are neither tracked nor ignored, sorted; a folder that is a repository of its own is none. */
export const listUntracked = (root: string): string[] =>
  nulList(git(root, ['ls-files', '-o', '--exclude-standard', '-z']))
    .filter((path) => !path.endsWith('/'))
    .toSorted()

/** Tracked files whose content on disk is not the index's, and those that differ from HEAD in any way. */
export function listChanges(root: string, hasHead: boolean): { unstaged: string[]; sinceHead: string[] } {
  const unstaged = nulList(
    git(root, ['diff', '--name-only', '--relative', '--no-renames', '--no-ext-diff', '-z']),
  )
  const sinceHead = hasHead
    ? nulList(git(root, ['diff', '--name-only', '--relative', '--no-renames', '--no-ext-diff', '-z', 'HEAD']))
    : []
  return { unstaged, sinceHead }
}

/** Blob ids of files on disk, in the order given. A path with a line break cannot be asked for and gets ''. */
export function hashFiles(root: string, paths: readonly string[]): string[] {
  const askable = paths.filter((path) => !path.includes('\n'))
  const ids =
    askable.length === 0
      ? []
      : (git(root, ['hash-object', '--stdin-paths'], `${askable.join('\n')}\n`) ?? '').trim().split('\n')
  const byPath = new Map(askable.map((path, at) => [path, ids[at] ?? '']))
  return paths.map((path) => byPath.get(path) ?? '')
}

/** Paths that `.gitattributes` marks as generated or vendored, as GitHub reads it. */
export function listAttributed(
  root: string,
  paths: readonly string[],
): { generated: Set<string>; vendored: Set<string>; ordinary: Set<string> } {
  const found = { generated: new Set<string>(), vendored: new Set<string>(), ordinary: new Set<string>() }
  const output = git(
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

export const isShallow = (root: string): boolean =>
  git(root, ['rev-parse', '--is-shallow-repository'])?.trim() === 'true'

/** Number of commits that HEAD can see. */
export const countCommits = (root: string): number => Number(git(root, ['rev-list', '--count', 'HEAD']) ?? 0)

/**
 * The changed files of the last `limit` commits below `root`, as git prints them (see `history.ts`). Runs
 * beside the caller, which must give the event loop a turn now and then so that the pipe drains. In a partial
 * clone the contents of old files are missing; then the names of the changed files are all there is to know.
 */
export async function readLog(root: string, limit: number): Promise<string> {
  return (
    (await runLog(root, limit, ['-M', '--numstat'])) ??
    (await runLog(root, limit, ['--no-renames', '--name-only'])) ??
    ''
  )
}

async function runLog(root: string, limit: number, detail: string[]): Promise<string | undefined> {
  const args = [
    ...BASE,
    'log',
    '-z',
    '-n',
    String(limit),
    ...detail,
    '--relative',
    '--no-ext-diff',
    '--format=%x01%H%x1f%aE%x1f%cs%x1f%s',
  ]
  // A partial clone would fetch each missing file over the network.
  const env = { ...process.env, GIT_NO_LAZY_FETCH: '1' }
  const child = spawn('git', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return code === 0 ? Buffer.concat(chunks).toString('utf8') : undefined
}
