import { AsyncLocalStorage } from 'node:async_hooks'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { NotDoneError } from '../../errors/fed-error.ts'
import { GitBlockedError, GitError } from '../../errors/git-errors.ts'
import { isSystemError } from '../storage/system-error.ts'
import { brokenWorktree, oldMs, realPlace, standingOf, type Leftover, type Standing } from './leftover.ts'
import { setAside } from './set-aside.ts'
import { tellSetAside } from './set-aside-listener.ts'

/** Time that somebody else's git has to end, in milliseconds. */
const patienceMs = 5000
const pollMs = 100

const looking = new AsyncLocalStorage<true>()

/** Runs an examination: whatever git stumbles over meanwhile is left where it is, and not waited for. */
export function onlyLooking<Result>(examine: () => Result): Result {
  return looking.run(true, examine)
}

/**
 * Runs git, and again when it failed because of what another git holds or has left: what was left is put out of the
 * way and told, anything else gets five seconds to go.
 * @param ask runs git once, without this care: it is asked for the repository's folders.
 * @throws {GitBlockedError} when it is still held; {GitError} for everything else that git says.
 */
export function overLeftovers(dir: string, run: () => string, ask: (...args: string[]) => string): string {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      return run()
    } catch (error) {
      const leftover = error instanceof GitError ? namedIn(error.words, dir, ask) : undefined
      if (leftover === undefined) throw error
      makeWay(leftover, until, error)
    }
  }
}

/**
 * Puts a leftover away, or waits until it is gone: when this returns, git is worth another try.
 * @param until when to give up, on `performance.now()`'s clock; within `onlyLooking` nothing is waited for.
 * @throws {GitBlockedError} when git is still blocked then; `cause` when it failed for another reason.
 */
function makeWay(leftover: Leftover, until: number, cause: unknown): void {
  for (;;) {
    const standing = standingOf(leftover)
    const isLate = performance.now() >= until || looking.getStore() === true
    const isToBeDone = standing !== undefined && (standing.isLeft || standing.ageMs < 0)
    if (isToBeDone && looking.getStore() !== true) {
      const done = tryAside(leftover)
      if (done !== undefined) {
        tellSetAside(`${leftover.path}: ${whatItIs(leftover)}; ${done}`)
        return
      }
    }
    if (isLate) {
      // not every word of git's tells a lock that is held from one that cannot be made
      if (standing === undefined && !isHeld(cause)) throw cause
      throw new GitBlockedError(leftover.path, ...reason(leftover, standing), cause)
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs)
    if (standing === undefined) return
  }
}

function isHeld(cause: unknown): boolean {
  return cause instanceof GitError && cause.words.includes('File exists')
}

/** What a leftover that nobody needs is, in words. */
export function whatItIs({ kind }: Leftover): string {
  switch (kind) {
    case 'lock':
      return 'a git that was killed left this lock'
    case 'worktree':
      return 'a git that was killed left this worktree half made'
    case 'commondir':
      return 'it is empty or gone, and git fails because of it'
    default:
      return kind satisfies never
  }
}

function tryAside(leftover: Leftover): string | undefined {
  try {
    return setAside(leftover)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new NotDoneError(
      `${leftover.path}: ${whatItIs(leftover)}, and it cannot be put out of the way`,
      error,
    )
  }
}

/** What is wrong, and what helps. */
export function reason(leftover: Leftover, standing: Standing | undefined): [what: string, advice: string] {
  const { kind } = leftover
  if (standing === undefined)
    return ['other gits keep locking it', 'give the command again when they are done']
  const { ageMs, holder } = standing
  const byHand = kind === 'lock' ? ', or remove it if no git is at work here' : ''
  if (typeof holder === 'number')
    return [`git is at work here (process ${holder})`, 'give the command again when it has ended']
  if (holder === 'unknown')
    return [
      'a git holds it or has left it, and processes cannot be listed here',
      `make sure that no git is at work here, and remove it`,
    ]
  const what =
    kind === 'lock'
      ? 'a git holds this lock, or was killed and left it'
      : 'a git is making this worktree, or was killed'
  return [
    what,
    `if it was left it is put out of the way ${timeIn(oldMs - Math.max(0, ageMs))}: give the command again then${byHand}`,
  ]
}

/** Such as `in 9 min 58 s`; the clock of the disk may be behind. */
function timeIn(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  return `in ${minutes === 0 ? '' : `${minutes} min `}${seconds % 60} s`
}

/** git's words for a lock that is held; it says them in English here (LC_ALL=C). */
const lockWords = [
  /Unable to create '(.+\.lock)': File exists/,
  /nable to create file (.+\.new): File exists/,
  /(could not lock config file) (.+?)(?:: File exists)?$/m,
]
const worktreeWords = /failed to read (.+)[/\\]commondir: (?!Permission denied)/

/** The leftover that git's words name; undefined where they name none inside of git's own folder. */
function namedIn(words: string, dir: string, ask: (...args: string[]) => string): Leftover | undefined {
  const worktree = worktreeWords.exec(words)?.[1]
  if (worktree !== undefined) {
    const place = path.resolve(topOf(dir, ask), worktree)
    const common = realPlace(path.dirname(path.dirname(place)))
    if (common === undefined) return undefined
    // by now it may be whole
    return brokenWorktree(common, path.basename(place)) ?? { kind: 'worktree', path: place, common }
  }
  const lock = lockWords.map((pattern) => pattern.exec(words)).find((match) => match !== null)
  if (lock === undefined || lock === null) return undefined
  const named = lock[2] === undefined ? (lock[1] as string) : `${lock[2]}.lock`
  const common = realPlace(path.resolve(dir, ask('rev-parse', '--git-common-dir')))
  const file = path.resolve(topOf(dir, ask), named)
  const home = realPlace(path.dirname(file))
  if (common === undefined || home === undefined) return undefined
  const isInside = `${home}${path.sep}`.startsWith(`${common}${path.sep}`)
  return isInside ? { kind: 'lock', path: path.join(home, path.basename(file)), common } : undefined
}

/** The top of the work tree, from which git names files; `dir` where there is none. */
function topOf(dir: string, ask: (...args: string[]) => string): string {
  return unless(GitError, () => ask('rev-parse', '--show-toplevel')) ?? dir
}
