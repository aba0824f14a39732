import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { commandIn, gitStart, type OwnRepository } from './git-start.ts'
import { overLeftovers } from './over-leftovers.ts'
import { isSystemError } from '../storage/system-error.ts'
import {
  GitError,
  GitMissingError,
  GitSlowError,
  NotARepositoryError,
  NoWorkTreeError,
} from '../../errors/git-errors.ts'

/**
 * Runs git with an argument list and returns its output without the last line break. Waits for a lock that
 * another git holds, and moves away one that a killed git left; see `over-leftovers.ts`.
 * @throws {GitError} with git's own words when it fails; {GitBlockedError} when another git is at work;
 * {GitSlowError} when it only had to look, and something held it up; {GitMissingError}
 */
export function git(dir: string, ...args: string[]): string {
  return gitWith(dir, args)
}

export interface CallOptions {
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** The repository, where it is not the one in which the folder lies. */
  readonly own?: OwnRepository
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

function call(dir: string, args: readonly string[], { input, env, own, longestMs }: CallOptions): string {
  const command = commandIn(args)
  const timeout = longestMs ?? (looking.includes(command) ? longestLookMs : undefined)
  const start = gitStart(dir, args, { ...(env && { env }), ...(own && { own }) })
  try {
    return execFileSync(start.file, start.args, {
      cwd: dir,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      timeout,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      input,
      env: start.env,
    }).replace(/\n$/, '')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new GitMissingError(dir, existsSync(dir), error)
    }
    if (timeout !== undefined && (error as NodeJS.ErrnoException).code === 'ETIMEDOUT')
      throw new GitSlowError(command, dir, timeout, pipeIn(dir))
    const stderr = String((error as { stderr?: unknown }).stderr ?? '').trim()
    const hint = /promisor remote|lazy fetch/i.test(stderr) ? `; ${partialClone}` : ''
    throw new GitError(command, dir, stderr + hint, error)
  }
}

const partialClone =
  "this clone lacks some files, and fed's git reaches no remote: your own 'git checkout' or 'git fetch --refetch' brings them"

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
