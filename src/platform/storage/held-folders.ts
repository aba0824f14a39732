import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { NotPlainFileError } from '../../errors/document-errors.ts'
import { unless } from '../../errors/unless.ts'
import { descriptors, Folder } from './open-folder.ts'

/**
 * What agents can write lies in folders of this name and below them: from the first one in a path on, no link is
 * followed. What stands before it is where the person put it.
 */
const fedFolder = `${path.sep}.fed`

export interface Place {
  /** The folder below which no link is followed, which is there; without it the first `.fed` on the way. */
  readonly within?: string | undefined
}

/** Whether a path leads where agents can write. */
export function isWatched(dir: string, { within }: Place = {}): boolean {
  return within !== undefined || folders.has(dir) || trustedLength(dir) !== undefined
}

/** How much of a path stands before its first `.fed`; undefined where there is none. */
function trustedLength(dir: string): number | undefined {
  for (let at = dir.indexOf(fedFolder); at >= 0; at = dir.indexOf(fedFolder, at + 1)) {
    const next = dir[at + fedFolder.length]
    if (next === undefined || next === path.sep) return at
  }
  return undefined
}

/** At most how many folders are held. */
const mostHeld = 64
/** Folders that nobody asked for since the last look are let go; in milliseconds. */
const lookMs = 1000

interface Held {
  readonly folder: Folder
  /** In which run of this thread it was looked at last. */
  run: number
  isUsed: boolean
  /** How many are at work in it at this moment: one call may lead into another. */
  uses: number
  /** Whether it is to be closed once nobody is at work in it. */
  isLetGo: boolean
}

/** Folders that are held, the one that was asked for last at the end. */
const folders = new Map<string, Held>()
/** Counts how often this thread came back to its loop: within one run a folder is looked at once. */
let run = 0
let isCounting = false

/** Has every folder looked at again before it is used: one may lie elsewhere now. */
export function lookAgain(): void {
  run += 1
}

let sweep: NodeJS.Timeout | undefined

/**
 * Calls `act` with a folder to which no link leads, opened or still held from before; it stays open meanwhile.
 * @throws {NotPlainFileError} when a link does; the file system's error where there is none.
 */
export function withHeld<Result>(
  dir: string,
  place: Place | undefined,
  act: (folder: Folder) => Result,
): Result {
  const one = held(dir, place)
  one.uses += 1
  try {
    return act(one.folder)
  } finally {
    one.uses -= 1
    if (one.isLetGo && one.uses === 0) one.folder.close()
  }
}

/**
 * Makes sure that a folder is there, and that no link leads to it.
 * @throws as `withHeld` does.
 */
export function assertHeld(dir: string, place?: Place): void {
  held(dir, place)
}

function held(dir: string, place: Place = {}): Held {
  const key = place.within === undefined ? dir : `${place.within}\0${dir}`
  const known = folders.get(key)
  if (known !== undefined) {
    known.isUsed = true
    if (known.run === run || isStillThere(known.folder)) {
      folders.delete(key)
      folders.set(key, known)
      return seen(known)
    }
    letGo(key, known)
  }
  const folder = openWithoutLinks(dir, place)
  const [oldest] = folders
  if (oldest !== undefined && folders.size >= mostHeld) letGo(...oldest)
  const one = { folder, run, isUsed: true, uses: 0, isLetGo: false }
  folders.set(key, one)
  sweep ??= setInterval(letGoUnused, lookMs).unref()
  return seen(one)
}

function seen(one: Held): Held {
  one.run = run
  if (isCounting) return one
  isCounting = true
  queueMicrotask(() => {
    run += 1
    isCounting = false
  })
  return one
}

function letGo(key: string, one: Held): void {
  folders.delete(key)
  one.isLetGo = true
  if (one.uses === 0) one.folder.close()
}

function letGoUnused(): void {
  for (const [key, one] of folders) {
    if (!one.isUsed) letGo(key, one)
    one.isUsed = false
  }
  if (folders.size > 0) return
  clearInterval(sweep)
  sweep = undefined
}

/** Where a folder that is open lies now. */
function whereIs(folder: Folder): string | undefined {
  // without names of descriptors it is its own name that says it, before and after what is done there
  return descriptors === undefined
    ? unless(['ENOENT', 'ENOTDIR', 'ELOOP'], () => realpathSync.native(folder.name))
    : readlinkSync(folder.path)
}

export function isStillThere(folder: Folder): boolean {
  return whereIs(folder) === folder.place
}

/**
 * Opens a folder to which no link leads, for whoever asks to hold and to close.
 * @throws {NotPlainFileError} when a link does; the file system's error where there is none.
 */
export function openFolder(dir: string): Folder {
  return openWithoutLinks(dir, {})
}

/** How often a folder is opened that is moved at the same time. */
const mostMoves = 10

function openWithoutLinks(dir: string, { within }: Place): Folder {
  const absolute = path.resolve(dir)
  const length = within === undefined ? (trustedLength(absolute) ?? 0) : path.resolve(within).length
  // the folder below which no link is followed may be one itself
  const at = absolute.length > length ? dir : realpathSync(dir)
  for (let moves = 0; moves < mostMoves; moves += 1) {
    const folder = Folder.open(dir, at)
    try {
      const place = whereIs(folder)
      if (place !== undefined && (place === absolute || place === meantBy(absolute, length))) {
        folder.place = place
        return folder
      }
    } catch (error) {
      folder.close()
      throw error
    }
    folder.close()
    assertNoLink(absolute, length)
  }
  throw new NotPlainFileError(dir, 'moved again and again', 'a folder')
}

/** Where a folder has to lie: what stands before its part that agents can write may hold links. */
function meantBy(dir: string, length: number): string {
  return path.join(realpathSync(dir.slice(0, length) || path.sep), dir.slice(length))
}

function assertNoLink(dir: string, length: number): void {
  for (let at = dir; at.length > length; at = path.dirname(at))
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true)
      throw new NotPlainFileError(at, 'a symbolic link', 'a folder')
}

/** An error in which the path that people know stands for the one by which a folder was reached. */
export function named(error: unknown, folder: Folder): unknown {
  if (!(error instanceof Error) || folder.path === folder.name) return error
  const { path: file, dest } = error as NodeJS.ErrnoException & { dest?: string }
  for (const [key, place] of Object.entries({ path: file, dest })) {
    if (place !== folder.path && place?.startsWith(folder.path + path.sep) !== true) continue
    const known = folder.name + place.slice(folder.path.length)
    error.message = error.message.replace(`'${place}'`, `'${known}'`)
    Object.assign(error, { [key]: known })
  }
  return error
}
