import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { overLeftovers } from './over-leftovers.ts'
import { isSystemError } from '../storage/system-error.ts'
import {
  GitError,
  GitMissingError,
  GitSlowError,
  NotARepositoryError,
  NoWorkTreeError,
} from '../../errors/git-errors.ts'

/** Variables that git sets for a hook: with them git works in the hook's repository, whatever the folder. */
const inherited = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_PREFIX',
  'GIT_OBJECT_DIRECTORY',
]

/** This process's environment without the variables that git sets for a hook. */
export function outsideOfHooks(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.includes(name)))
}

/**
 * The environment for git in any folder: no hook's variables, no optional locks, messages in English, and commits as
 * they are, whatever stands in their place elsewhere. `FED_NO_PROGRAM` is the value for what names a program.
 */
export function gitEnvironment(): NodeJS.ProcessEnv {
  return {
    ...outsideOfHooks(),
    GIT_OPTIONAL_LOCKS: '0',
    LC_ALL: 'C',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: '/dev/null',
    FED_NO_PROGRAM: 'false',
  }
}

/**
 * Options with which git starts no program by itself that a repository or a person named, and believes no cache and
 * no setting that could hide a change.
 */
export const harmless: readonly string[] = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.commitGraph=false',
  'core.checkStat=default',
  'core.trustctime=true',
  // of no file of grafts it would say that such files are old
  'advice.graftFileDeprecated=false',
].flatMap((setting) => ['-c', setting])

/**
 * Files of a work tree with uncommitted changes, as git prints their paths; ignored files are not among them.
 * @param except paths, seen from `dir`, that do not count.
 */
export function uncommittedIn(dir: string, except: readonly string[] = []): string[] {
  const paths = except.length === 0 ? [] : ['--', ':/', ...except.map((file) => `:(exclude,literal)${file}`)]
  return git(dir, 'status', '--porcelain', '--untracked-files=normal', ...paths)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
}

/**
 * Runs git with an argument list and returns its output without the last line break. Waits for a lock that
 * another git holds, and moves away one that a killed git left; see `over-leftovers.ts`.
 * @throws {GitError} with git's own words when it fails; {GitBlockedError} when another git is at work;
 * {GitSlowError} when it only had to look, and something held it up; {GitMissingError}
 */
export function git(dir: string, ...args: string[]): string {
  return gitWith(dir, args)
}

interface CallOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** How long git may take, in milliseconds; without it, one that looks at files has two minutes. */
  readonly longestMs?: number
}

/** Commands that only look at the files of a work tree: what others do there may take any time, as a checkout does. */
const looking = ['status', 'ls-files']
const longestLookMs = 120_000

/** As `git`, with an input, and with variables that may name another index or object store. */
export function gitWith(dir: string, args: readonly string[], options: CallOptions = {}): string {
  return overLeftovers(
    dir,
    () => call(dir, args, options),
    (...question) => call(dir, question, {}),
  )
}

function call(dir: string, args: readonly string[], { input, env = {}, longestMs }: CallOptions): string {
  const command = commandIn(args)
  const timeout = longestMs ?? (looking.includes(command) ? longestLookMs : undefined)
  try {
    return execFileSync('git', args[0] === '--version' ? args : [...harmless, ...args], {
      cwd: dir,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      timeout,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      input,
      // paths as they are, whatever the person configured, and no lock taken for a mere look
      env: { ...gitEnvironment(), ...env },
    }).replace(/\n$/, '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new GitMissingError(dir, existsSync(dir), error)
    }
    if (timeout !== undefined && (error as NodeJS.ErrnoException).code === 'ETIMEDOUT')
      throw new GitSlowError(command, dir, timeout, pipeIn(dir))
    const stderr = String((error as { stderr?: unknown }).stderr ?? '').trim()
    throw new GitError(command, dir, stderr, error)
  }
}

/** git's own command among the options before it, such as `status`. */
function commandIn(args: readonly string[]): string {
  return args.find((word, index) => !word.startsWith('-') && args[index - 1] !== '-c') ?? String(args[0])
}

/** What in a work tree git opens wherever it looks, and waits at for ever; undefined where nothing is found. */
function pipeIn(dir: string): string | undefined {
  const found = unless(isSystemError, () =>
    readdirSync(dir, { recursive: true, withFileTypes: true }).find(
      (entry) => /^\.git(?:ignore|attributes)$/.test(entry.name) && entry.isFIFO(),
    ),
  )
  return found && path.join(found.parentPath, found.name)
}

/** The oldest git whose list of worktrees says which are locked or gone. */
export const oldestGit: Version = [2, 31]

type Version = readonly [major: number, minor: number]

let known: { readonly name: string; readonly numbers: Version } | undefined

/** What git calls itself, such as `git 2.39.5`; asked once. */
export function gitVersion(dir: string): NonNullable<typeof known> {
  known ??= askVersion(dir)
  return known
}

function askVersion(dir: string): NonNullable<typeof known> {
  const name = git(dir, '--version').replace(' version', '')
  const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(name) ?? []).map(Number)
  return { name, numbers: [major, minor] }
}

export function isOlder([major, minor]: Version, than: Version): boolean {
  return major < than[0] || (major === than[0] && minor < than[1])
}

const tops = new Map<string, string>()

/**
 * The top folder of the work tree that holds `dir`; a process asks git once for each `dir`.
 * @throws {NotARepositoryError} when there is none; {NoWorkTreeError} in a bare repository, or in git's own folder.
 */
export function repositoryRoot(dir: string): string {
  const place = path.resolve(dir)
  const before = tops.get(place)
  if (before !== undefined) return before
  try {
    const top = path.resolve(git(dir, 'rev-parse', '--show-toplevel'))
    tops.set(place, top)
    return top
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    if (error.words.includes('must be run in a work tree'))
      throw new NoWorkTreeError(dir, git(dir, 'rev-parse', '--is-bare-repository') === 'true')
    if (/not a git repository|work tree/.test(error.words)) throw new NotARepositoryError(dir)
    throw error
  }
}

/**
 * git's output, as `git` returns it; undefined where git fails, which is how it says no.
 * @throws {GitBlockedError | GitMissingError} where git could not be asked.
 */
export function gitOrNothing(dir: string, ...args: string[]): string | undefined {
  return unless(GitError, () => git(dir, ...args))
}

/** The file where this clone keeps its own ignore rules, shared by its worktrees. */
export function excludeFile(root: string): string {
  return path.resolve(root, git(root, 'rev-parse', '--git-path', 'info/exclude'))
}
