import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { readBelow } from '../storage/outside-file.ts'
import { isSystemError } from '../storage/system-error.ts'
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
  const tops = [common, ...configuredTops(common)]
  try {
    return gitAtWork((place) => isUnder(place, tops, common), uid)
  } catch (error) {
    if (error instanceof Error && ('code' in error || 'status' in error)) return 'unknown'
    throw error
  }
}

/** Whether a place lies in one of these folders, or below one whose `.git` leads into git's folder. */
function isUnder(place: string, tops: readonly string[], common: string): boolean {
  const real = realPlace(place)
  if (real !== undefined && (tops.includes(real) || isWorkTreeOf(real, common))) return true
  const up = path.dirname(real ?? place)
  return up !== place && isUnder(up, tops, common)
}

/** Whether a folder's `.git` is git's folder, or a file or a link that leads into it. */
function isWorkTreeOf(top: string, common: string): boolean {
  const file = path.join(top, '.git')
  const [, named] = /^gitdir: (.+)$/m.exec(textOf(file) ?? '') ?? []
  const real = realPlace(path.resolve(top, named ?? file))
  return real !== undefined && `${real}${path.sep}`.startsWith(`${common}${path.sep}`)
}

/** The work tree that the configuration names, as git writes it: nothing in it need lead back to git's folder. */
function configuredTops(common: string): string[] {
  return ['config', 'config.worktree'].flatMap((name) => {
    const [, named] = /^\s*worktree\s*=\s*"?(.+?)"?\s*$/m.exec(textOf(path.join(common, name)) ?? '') ?? []
    return named === undefined ? [] : (realPlace(path.resolve(common, named)) ?? [])
  })
}

/** Names in a folder, sorted; none where there is no folder. */
export function namesIn(dir: string): string[] {
  return unless(['ENOENT', 'ENOTDIR'], () => readdirSync(dir).toSorted()) ?? []
}

function textOf(file: string): string | undefined {
  const found = readBelow(file, { largestBytes: 1 << 20, followLinks: true })
  return found.kind === 'text' ? found.text : undefined
}

/** Absolute path with links followed; undefined where nothing is, or nothing that can be reached. */
export function realPlace(place: string): string | undefined {
  return unless(isSystemError, () => realpathSync(place))
}
