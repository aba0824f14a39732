import { createHash } from 'node:crypto'
import path from 'node:path'
import { packageVersion } from '../platform/process/package.ts'
import { NotPlainFileError } from '../errors/document-errors.ts'
import { readPlain } from '../platform/storage/plain-file.ts'
import { readBlocks, replaceBlocks } from './checked-blocks.ts'
import { git } from './git-command.ts'
import { historyOf, readCommits, splitLog } from './commit-history.ts'
import type { Commit, History } from './commit-history.ts'
import { countLines } from './line-counts.ts'
import type { LineCount } from './line-counts.ts'

/** Most commits that are read, newest first: older ones say little of the present code. */
const HISTORY_LIMIT = 2_000

/** Label of the cache files; raise its number when what is read from a commit or made of it changes. */
const LABEL = `fed-history-3-${packageVersion}`

const FORMAT = ['-z', '--relative', '--no-ext-diff', '--format=%x01%H%x1f%aN%x1f%aE%x1f%cs%x1f%s']
const DETAIL = ['-M', '--name-status']
/** What git can tell without the contents of old files: renames of what was not changed. */
const BY_NAME = ['-M100%', '--name-status']

interface Known {
  /** Key of what else decides how git shows a commit (see `circumstances`). */
  under: string
  head: string
  history: History
  /** Counts by path; null where git cannot tell. */
  lines: [path: string, LineCount | null][]
}

interface KnownCommits {
  under: string
  head: string
  total: number
  /** Text of each commit as `git log` prints it, by its id. */
  commits: [id: string, text: string][]
}

/** The history at a commit, and more of it for those who ask. */
export interface Past {
  history: History
  /** Counts the lines of some files ahead: of those that may be asked for. */
  countAhead(paths: () => readonly string[]): void
  /** The same history with the lines that were added to some files and deleted. */
  withLines(paths: readonly string[]): Promise<History>
}

/**
 * The history at a commit. It is kept in the cache; for another commit, git is asked only for commits that
 * are not in the cache yet, because a commit never changes.
 * @param cacheFolder without it nothing is kept.
 */
export async function readHistory(
  root: string,
  head: string,
  places: GitPlaces,
  attributeFiles: readonly string[],
  cacheFolder: string | undefined,
): Promise<Past> {
  const under = circumstances(root, places, attributeFiles)
  const fileOf = (name: string): string | undefined =>
    cacheFolder === undefined ? undefined : path.join(cacheFolder, name)
  const stays = stored<Known>(fileOf('history'))
  const known = stays?.under === under && stays.head === head ? stays : undefined
  const read = async (): Promise<ReadLog> => {
    const before = stored<KnownCommits>(fileOf('commits'))
    const usable = before?.under === under ? before : undefined
    const [log, total] = await Promise.all([readLog(root, head, usable), countCommits(root, head, usable)])
    // Commits without renames are not kept: a later run may get them.
    if (log.commits !== undefined && before?.head !== head)
      keep(fileOf('commits'), { under, head, total, commits: log.commits } satisfies KnownCommits)
    return { commits: readCommits(log.text), total }
  }
  const log = known === undefined ? await read() : undefined
  const ends = places.isShallow ? shallowEnds(root, places) : undefined
  const history = plainNames(known?.history) ?? historyOf(log?.commits ?? [], log?.total ?? 0, ends)
  const lines = new Map(known?.lines)
  const count = async (paths: readonly string[]): Promise<boolean> => {
    const missing = new Set(paths.filter((file) => !lines.has(file)))
    if (missing.size === 0) return false
    const found = await countLines(root, (log ?? (await read())).commits, missing, ends)
    for (const file of missing) lines.set(file, found.get(file) ?? null)
    return true
  }
  let ahead: Promise<boolean> | undefined
  return {
    history,
    countAhead(paths) {
      if (known !== undefined) return
      ahead = count(paths())
      // Whoever asks for the lines hears what went wrong.
      ahead.catch(() => undefined)
    },
    async withLines(paths) {
      await ahead
      const isNew = await count(paths)
      if (isNew || known === undefined)
        keep(fileOf('history'), { under, head, history, lines: [...lines] } satisfies Known)
      return counted(history, paths, lines)
    },
  }
}

/** The commits at which a shallow clone is cut off. */
const shallowEnds = (root: string, { shallowFile }: GitPlaces): ReadonlySet<string> =>
  new Set(contentOf(path.resolve(root, shallowFile)).split('\n'))

/** As it was before it was kept: a file may be named `constructor`. */
const plainNames = (history: History | undefined): History | undefined =>
  history && {
    ...history,
    files: Object.assign(Object.create(null) as History['files'], history.files),
    past: Object.assign(Object.create(null) as History['past'], history.past),
  }

interface ReadLog {
  commits: Commit[]
  total: number
}

function counted(
  history: History,
  paths: readonly string[],
  lines: ReadonlyMap<string, LineCount | null>,
): History {
  const files: History['files'] = Object.assign(Object.create(null), history.files)
  for (const file of paths) {
    const [past, count] = [files[file], lines.get(file)]
    if (past !== undefined && count !== undefined && count !== null) files[file] = { ...past, lines: count }
  }
  return { ...history, files }
}

function stored<T>(file: string | undefined): T | undefined {
  return file === undefined ? undefined : (readBlocks(file, LABEL).blocks[0] as T | undefined)
}

function keep(file: string | undefined, value: Known | KnownCommits): void {
  if (file !== undefined) replaceBlocks(file, LABEL, value)
}

/** Where git keeps what its answers depend on besides the commits, as `git rev-parse` tells. */
export interface GitPlaces {
  isShallow: boolean
  prefix: string
  /** The way up to the top of the work tree: empty, or `../` as often as it takes. */
  up: string
  shallowFile: string
  attributesFile: string
}

export async function findPlaces(root: string): Promise<GitPlaces> {
  const args = [
    'rev-parse',
    ...['--is-shallow-repository', '--show-prefix', '--show-cdup'],
    ...['--git-path', 'shallow', '--git-path', 'info/attributes'],
  ]
  const lines = ((await git(root, args)) ?? '').split('\n')
  const [shallow = '', prefix = '', up = '', shallowFile = '', attributesFile = ''] = lines
  return { isShallow: shallow === 'true', prefix, up, shallowFile, attributesFile }
}

/** Key of what decides git's output besides the commits: shallow ends, mailmap, attributes. */
function circumstances(root: string, places: GitPlaces, attributeFiles: readonly string[]): string {
  const { prefix, up, shallowFile, attributesFile } = places
  const above = up.split('/').map((_, at) => `${'../'.repeat(at)}.gitattributes`)
  const hash = createHash('sha1').update(`${root}\0${prefix}\0`)
  for (const file of [shallowFile, attributesFile, `${up}.mailmap`, ...above, ...attributeFiles])
    hash.update(`${file}\0${contentOf(path.resolve(root, file))}\0`)
  return hash.digest('base64')
}

function contentOf(file: string): string {
  try {
    return readPlain(file, { followLinks: true }).toString('latin1')
  } catch (error) {
    if (error instanceof NotPlainFileError) return error.found
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return code
  }
}

/** Number of commits that `head` reaches, counted from the known head where that is still there. */
async function countCommits(root: string, head: string, known: KnownCommits | undefined): Promise<number> {
  if (known !== undefined) {
    const sides = await git(root, ['rev-list', '--count', '--left-right', `${known.head}...${head}`])
    const [gone, come] = (sides ?? '').trim().split('\t').map(Number)
    if (gone !== undefined && come !== undefined) return known.total - gone + come
  }
  return Number((await git(root, ['rev-list', '--count', head])) ?? 0)
}

/**
 * The changed files of the newest commits below `root`, as git prints them (see `commit-history.ts`), newest
 * first. In a partial clone the contents of old files are missing, and nothing is fetched: where git needs them to tell
 * renames the text has those of unchanged files alone, and `commits` is undefined.
 */
async function readLog(
  root: string,
  head: string,
  known: KnownCommits | undefined,
): Promise<{ text: string; commits?: [string, string][] }> {
  const newest = ['-n', String(HISTORY_LIMIT)]
  if (known !== undefined) {
    const ids = (await git(root, ['rev-list', ...newest, head]))?.trim().split('\n')
    const texts = new Map(known.commits)
    const missing = (ids ?? []).filter((id) => !texts.has(id))
    const added =
      missing.length === 0
        ? ''
        : await git(
            root,
            ['log', '--no-walk=unsorted', '--stdin', ...DETAIL, ...FORMAT],
            `${missing.join('\n')}\n`,
          )
    if (ids !== undefined && added !== undefined) {
      for (const [id, text] of splitLog(added)) texts.set(id, text)
      const commits = ids.map((id): [string, string] => [id, texts.get(id) ?? ''])
      if (commits.every(([, text]) => text !== '')) return { text: logOf(commits), commits }
    }
  }
  const log = await git(root, ['log', ...newest, ...DETAIL, ...FORMAT, head])
  if (log !== undefined) return { text: log, commits: splitLog(log) }
  const names = ['log', ...newest, ...BY_NAME, ...FORMAT, head]
  return { text: (await git(root, names)) ?? '' }
}

const logOf = (commits: readonly [string, string][]): string =>
  commits.map(([, text]) => `\u0001${text}`).join('')
