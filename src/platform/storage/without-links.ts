import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import { NotPlainFileError } from '../../errors/document-errors.ts'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import {
  assertHeld,
  isStillThere,
  isWatched,
  lookAgain,
  named,
  withHeld,
  type Place,
} from './held-folders.ts'
import { removeAt, type Folder } from './open-folder.ts'
import { hasCode } from './system-error.ts'

const { O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** What a file is opened for; `write` and `append` make it where there is none. */
export type Use = 'read' | 'write' | 'append'

const flagsOf: Readonly<Record<Use, number>> = {
  read: O_RDONLY,
  write: O_RDWR | O_CREAT,
  append: O_RDWR | O_CREAT | O_APPEND,
}

export interface Opening extends Place {
  /** A larger file is not opened; without it as many bytes as a text may have. */
  readonly largestBytes?: number
  /** For a file of the person's own: a link may stand for it. Its end must be a plain file all the same. */
  readonly followLinks?: boolean
  /** Permissions of a file that is made. */
  readonly mode?: number
}

export interface Opened {
  readonly descriptor: number
  readonly stat: Stats
}

/** Largest file that is opened, in bytes: a little less than V8's longest string has characters. */
export const largestText = 2 ** 29 - 1024

/** Codes of an open that failed because of what lies there, and what that is. */
const openFaults: Readonly<Record<string, string>> = {
  ELOOP: 'a symbolic link',
  ENXIO: 'a socket or a pipe',
  ENODEV: 'a device',
  EOPNOTSUPP: 'a socket',
  EISDIR: 'a folder',
}

/**
 * Opens a file in a place where agents can write, too. It never waits (for the other end of a pipe, for a device),
 * no link is followed on the way, and what it opened is a plain file that is not too large.
 * @throws {NotPlainFileError} when something else lies there or on the way; the file system's error otherwise.
 */
export function reach(file: string, use: Use, opening: Opening = {}): Opened {
  const { largestBytes = largestText, followLinks = false, mode = 0o666 } = opening
  const flags = flagsOf[use] | O_NONBLOCK | (followLinks ? 0 : O_NOFOLLOW)
  const open = (at: string) => openSync(at, flags, mode)
  let descriptor: number
  try {
    descriptor = followLinks ? open(file) : below(file, open, opening)
  } catch (error) {
    const found = openFaults[(error as NodeJS.ErrnoException).code ?? '']
    throw found === undefined ? error : new NotPlainFileError(file, found)
  }
  try {
    const stat = fstatSync(descriptor)
    const found = otherThanPlain(stat, largestBytes)
    if (found !== undefined) throw new NotPlainFileError(file, found)
    return { descriptor, stat }
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/**
 * Makes a new file, which is a plain one.
 * @param mode its permissions.
 * @returns its descriptor.
 * @throws {NotPlainFileError} when a link is on the way; the file system's error when the name is taken.
 */
export function createNew(file: string, mode: number): number {
  return below(file, (at) => openSync(at, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode))
}

function otherThanPlain(stat: Stats, largestBytes: number): string | undefined {
  if (stat.isDirectory()) return 'a folder'
  if (!stat.isFile()) return 'a pipe or a device'
  return stat.size > largestBytes ? `${stat.size} bytes, more than ${largestBytes}` : undefined
}

/**
 * Calls `act` with a path by which a name is reached in its folder, which is held meanwhile: no link was followed to
 * it. What lies under the name itself is the business of `act`, which must not follow it either.
 * @throws {NotPlainFileError} when a link is on the way.
 */
export function below<Result>(file: string, act: (at: string) => Result, place?: Place): Result {
  const cut = file.lastIndexOf(path.sep)
  const dir = cut > 0 ? file.slice(0, cut) : path.dirname(file)
  if (!isWatched(dir, place)) return act(file)
  const name = file.slice(cut + 1)
  const first = withHeld(dir, place, (folder) => {
    try {
      return { result: act(folder.at(name)) }
    } catch (error) {
      if (hasCode(error, 'ENOENT') && !isStillThere(folder)) return undefined
      throw named(error, folder)
    }
  })
  if (first !== undefined) return first.result
  // it was replaced since it was looked at
  lookAgain()
  return withHeld(dir, place, (folder) => inNames(folder, () => act(folder.at(name))))
}

/** The same with a folder as a whole, by which it is listed or flushed. */
export function inFolder<Result>(
  dir: string,
  act: (at: string, descriptor?: number) => Result,
  place?: Place,
): Result {
  if (!isWatched(dir, place)) return act(dir)
  return withHeld(dir, place, (folder) => inNames(folder, () => act(folder.path, folder.descriptor)))
}

function inNames<Result>(folder: Folder, act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw named(error, folder)
  }
}

/**
 * Moves what lies under one name to another, links as the links that they are.
 * @throws as `below` does.
 */
export function move(from: string, to: string): void {
  below(from, (source) => below(to, (target) => renameSync(source, target)))
  // a folder that was held by its name may have another one now
  lookAgain()
}

/** Removes a name, if it is there; a folder with all that it holds, of which nothing is followed. */
export function remove(file: string): void {
  unless('ENOENT', () => below(file, removeAt))
  // it may have been a folder that is held
  lookAgain()
}

/** Removes a folder unless something is in it, or it is gone. */
export function removeEmpty(dir: string): void {
  unless(['ENOTEMPTY', 'EEXIST', 'ENOENT'], () => below(dir, (at) => rmdirSync(at)))
  lookAgain()
}

/**
 * Makes a folder and those above it, and follows no link on the way.
 * @returns those that were made, the topmost first.
 * @throws {NotPlainFileError} when a link lies there; the file system's error when a file does.
 */
export function makeFolders(dir: string, place?: Place): string[] {
  if (!isWatched(dir, place)) {
    const made = mkdirSync(dir, { recursive: true })
    if (made === undefined) return []
    const all: string[] = []
    for (let at = path.resolve(dir); at.length >= made.length; at = path.dirname(at)) all.unshift(at)
    return all
  }
  if (isThere(dir, place)) return []
  const above = dir === place?.within ? [] : makeFolders(path.dirname(dir), place)
  const isNew = succeedsUnless('EEXIST', () => below(dir, (at) => mkdirSync(at), place))
  assertHeld(dir, place)
  return isNew ? [...above, dir] : above
}

/**
 * Makes sure that a folder, which may not be there yet, is one that no link leads to.
 * @throws {NotPlainFileError} when a link lies there or on the way; the file system's error when a file does.
 */
export function assertNoLinkTo(dir: string): void {
  isThere(dir)
}

function isThere(dir: string, place?: Place): boolean {
  return succeedsUnless('ENOENT', () => assertHeld(dir, place))
}
