import { lstatSync, readdirSync, readFileSync, realpathSync, type Stats } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { gitAtWork } from './git-processes.ts'

/** How long a git may hold a lock before it is asked whether it still runs, in milliseconds. */
export const oldMs = 600_000

/** What a git that was killed leaves in git's folder, and every later git stumbles over. */
export interface Leftover {
  /**
   * `lock`: a file that only its maker may take away. `worktree`: what git notes of a worktree, half made.
   * `commondir`: of a whole one, the file that says where its repository is, empty or gone.
   */
  readonly kind: 'lock' | 'worktree' | 'commondir'
  /** Absolute path of the file or folder. */
  readonly path: string
  /** git's folder that all worktrees share. */
  readonly common: string
}

/** How a leftover stands. */
export interface Standing {
  /** Milliseconds since it was made; negative when the clock was set back. */
  readonly ageMs: number
  /** A git that may be holding it, by its process id; `unknown` where nobody can tell. */
  readonly holder: number | 'unknown' | undefined
  /** Whether nobody can need it any more. */
  readonly isLeft: boolean
  /** What was looked at, told from another in its place. */
  readonly stat: Stats
}

const parts = ['gitdir', 'commondir', 'HEAD'] as const

/** What is half made of a worktree's notes; undefined when nothing is. git writes `index` when the rest is there. */
export function brokenWorktree(common: string, name: string): Leftover | undefined {
  const dir = path.join(common, 'worktrees', name)
  const stat = lstatSync(dir, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return undefined
  const isEmpty = (part: string) => !sizeOf(path.join(dir, part))
  const isWhole = sizeOf(path.join(dir, 'index')) !== undefined
  // of a whole one, git itself ('git worktree repair') knows the rest best
  if (isWhole)
    return isEmpty('commondir') ? { kind: 'commondir', path: path.join(dir, 'commondir'), common } : undefined
  return parts.some(isEmpty) ? { kind: 'worktree', path: dir, common } : undefined
}

function sizeOf(file: string): number | undefined {
  return lstatSync(file, { throwIfNoEntry: false })?.size
}

/** How it stands at this moment; undefined when it is gone, or whole by now. */
export function standingOf(leftover: Leftover, now = Date.now()): Standing | undefined {
  const { kind, path: place, common } = leftover
  if (kind !== 'lock' && brokenWorktree(common, nameOf(leftover))?.kind !== kind) return undefined
  const stat =
    lstatSync(place, { throwIfNoEntry: false }) ?? lstatSync(path.dirname(place), { throwIfNoEntry: false })
  if (stat === undefined || (kind === 'lock' && sizeOf(place) === undefined)) return undefined
  const ageMs = now - (kind === 'worktree' ? brokenAt(place, stat) : stat.mtimeMs)
  const holder = ageMs < oldMs ? undefined : holderOf(leftover, stat)
  return { ageMs, holder, isLeft: ageMs >= oldMs && holder === undefined, stat }
}

function nameOf({ path: place, common }: Leftover): string {
  return path.relative(path.join(common, 'worktrees'), place).split(path.sep)[0] ?? ''
}

/** When the last of what is missing was begun: an empty file has a time, for a missing one the folder's counts. */
function brokenAt(dir: string, stat: Stats): number {
  const times = parts.flatMap((part) => {
    const found = lstatSync(path.join(dir, part), { throwIfNoEntry: false })
    if (found === undefined) return [stat.mtimeMs]
    return found.size === 0 ? [found.mtimeMs] : []
  })
  return Math.max(...times)
}

function holderOf({ common }: Leftover, { uid }: Stats): Standing['holder'] {
  try {
    return gitAtWork(workFolders(common), uid)
  } catch (error) {
    if (error instanceof Error && ('code' in error || 'status' in error)) return 'unknown'
    throw error
  }
}

/** git's folder, and the folders of all work trees of the repository. */
function workFolders(common: string): string[] {
  const main = path.basename(common) === '.git' ? [path.dirname(common)] : []
  const notes = path.join(common, 'worktrees')
  const others = namesIn(notes).flatMap((name) => {
    const text = textOf(path.join(notes, name, 'gitdir'))?.trim()
    return text === undefined || !path.isAbsolute(text) ? [] : [path.dirname(text)]
  })
  return [common, ...main, ...others]
}

/** Names in a folder, sorted; none where there is no folder. */
export function namesIn(dir: string): string[] {
  return unless(['ENOENT', 'ENOTDIR'], () => readdirSync(dir).toSorted()) ?? []
}

function textOf(file: string): string | undefined {
  return unless(['ENOENT', 'ENOTDIR'], () => readFileSync(file, 'utf8'))
}

/** Absolute path with links followed; undefined where nothing is. */
export function realPlace(place: string): string | undefined {
  return unless(['ENOENT', 'ENOTDIR'], () => realpathSync(place))
}
