import {
  closeSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { isSystemError } from '../storage/system-error.ts'
import { namesIn, standingOf, type Leftover } from './leftover.ts'

/** The folder to which leftovers of killed gits are moved, inside git's own folder; git does not read it. */
export function asideFolder(common: string): string {
  return path.join(common, 'fed-aside')
}

/** Age at which the claim of another process on a leftover counts as abandoned, in milliseconds. */
const abandonedMs = 2000

/**
 * Puts a leftover out of git's way, but not a file of the same name that a running git has made meanwhile. One whose
 * time is still to come counts as made now.
 * @returns what was done, in words; undefined when there was nothing to do any more, or somebody else is doing it.
 */
export function setAside(leftover: Leftover): string | undefined {
  const { path: place, common } = leftover
  const folder = asideFolder(common)
  mkdirSync(folder, { recursive: true })
  // by the clock of the disk, which is another machine's where it is
  const now = diskTime(folder)
  const standing = standingOf(leftover, now)
  if (standing !== undefined && standing.ageMs < 0) dateNow(leftover, now)
  if (!standing?.isLeft) return undefined
  const name = path.relative(common, place).replaceAll(path.sep, '.')
  const claim = path.join(folder, `.${name}.claim`)
  // of two that look at once the slower would take what a git makes anew when the faster is done
  if (!claimed(claim, now)) return undefined
  try {
    return takeAway(leftover, standing.stat, path.join(folder, `${name}.${uuid()}`))
  } finally {
    unless('ENOENT', () => unlinkSync(claim))
  }
}

/** Lets age from now on what a clock that was ahead has dated; where that is not allowed it ages when its time comes. */
function dateNow({ kind, path: place }: Leftover, now: number): void {
  const dir = kind === 'worktree' ? place : path.dirname(place)
  const files = kind === 'lock' ? [place] : [dir, ...namesIn(dir).map((name) => path.join(dir, name))]
  const time = new Date(now)
  for (const file of files) unless(isSystemError, () => utimesSync(file, time, time))
}

function claimed(claim: string, now: number): boolean {
  for (;;) {
    if (succeedsUnless('EEXIST', () => closeSync(openSync(claim, 'wx')))) return true
    const others = lstatSync(claim, { throwIfNoEntry: false })
    if (others !== undefined && now - others.mtimeMs < abandonedMs) return false
    unless('ENOENT', () => unlinkSync(claim))
  }
}

/**
 * Takes a leftover away; a `commondir` is written anew.
 * @param seen what was looked at: anything else in its place belongs to a running git.
 * @returns what was done, in words; undefined when the leftover is not there any more.
 */
function takeAway(leftover: Leftover, seen: Stats, aside: string): string | undefined {
  const { kind, path: place, common } = leftover
  const found = lstatSync(place, { throwIfNoEntry: false })
  if (found !== undefined && !isSame(found, seen)) return undefined
  if (!succeedsUnless('ENOENT', () => renameSync(place, aside))) {
    if (kind !== 'commondir') return undefined
  } else if (!isSame(lstatSync(aside), seen)) {
    putBack(leftover, aside)
    return undefined
  }
  if (kind === 'commondir') {
    writeFileSync(place, '../..\n', { flag: 'wx' })
    return 'written anew: it always says the same'
  }
  return `set aside as ${path.relative(path.dirname(common), aside)}`
}

/** Puts back what was taken by mistake from a running git, unless its place is taken again. */
function putBack({ kind, path: place }: Leftover, aside: string): void {
  if (kind === 'worktree') {
    if (lstatSync(place, { throwIfNoEntry: false }) === undefined) renameSync(aside, place)
    return
  }
  // a third has locked it: this one stays beside
  unless('EEXIST', () => {
    linkSync(aside, place)
    unlinkSync(aside)
  })
}

function isSame(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev && one.mtimeMs === other.mtimeMs
}

function diskTime(folder: string): number {
  const probe = path.join(folder, `.${uuid()}.probe`)
  const descriptor = openSync(probe, 'wx')
  try {
    return fstatSync(descriptor).mtimeMs
  } finally {
    closeSync(descriptor)
    unlinkSync(probe)
  }
}
