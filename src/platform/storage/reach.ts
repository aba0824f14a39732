import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import path from 'node:path'
import { NotPlainFileError } from '../../errors/document-errors.ts'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { hasCode } from './system-error.ts'

/**
 * What agents can write lies in folders of this name and below them: from the first one in a path on, no link is
 * followed. What stands before it is where the person put it.
 */
const fedFolder = `${path.sep}.fed`

/**
 * Where descriptors have names, by which what lies in a folder is reached whatever the folder is called by then. The
 * process's own number leads there a little faster; the `/proc` of other processes does not know it.
 */
const descriptors = [`/proc/${process.pid}/fd`, '/proc/self/fd'].find(
  (place) => process.platform === 'linux' && isOwn(place),
)

function isOwn(place: string): boolean {
  return existsSync(place) && readlinkSync('/proc/self') === String(process.pid)
}

const {
  O_RDONLY,
  O_WRONLY,
  O_RDWR,
  O_CREAT,
  O_EXCL,
  O_APPEND,
  O_NOFOLLOW = 0,
  O_NONBLOCK = 0,
  O_DIRECTORY = 0,
} = constants

/** To hold what may not be read; Linux has it, and `node:fs` no name for it. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0

/** What a file is opened for; `write` and `append` make it where there is none. */
export type Use = 'read' | 'write' | 'append'

const flagsOf: Readonly<Record<Use, number>> = {
  read: O_RDONLY,
  write: O_RDWR | O_CREAT,
  append: O_RDWR | O_CREAT | O_APPEND,
}

export interface Place {
  /** The folder below which no link is followed, which is there; without it the first `.fed` on the way. */
  readonly within?: string | undefined
}

export interface Opening extends Place {
  /** A larger file is not opened; without it as many bytes as a text may have. */
  readonly largestBytes?: number
  /** For a file of the person's own: a link may stand for it. Its end must be a plain file all the same. */
  readonly followLinks?: boolean
  /** Permissions of a file that is made. */
  readonly mode?: number
}

const none: Opening = {}

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
export function reach(file: string, use: Use, opening: Opening = none): Opened {
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
export function below<Result>(file: string, act: (at: string) => Result, place: Place = none): Result {
  const cut = file.lastIndexOf(path.sep)
  const dir = cut > 0 ? file.slice(0, cut) : path.dirname(file)
  if (!isWatched(dir, place)) return act(file)
  const name = file.slice(cut + 1)
  const folder = held(dir, place)
  try {
    return act(folder.at(name))
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || isStillThere(folder)) throw named(error, folder)
  }
  // it was replaced since it was looked at
  run += 1
  const present = held(dir, place)
  try {
    return act(present.at(name))
  } catch (error) {
    throw named(error, present)
  }
}

/** The same with a folder as a whole, by which it is listed or flushed. */
export function inFolder<Result>(
  dir: string,
  act: (at: string, descriptor?: number) => Result,
  place: Place = none,
): Result {
  if (!isWatched(dir, place)) return act(dir)
  const folder = held(dir, place)
  try {
    return act(folder.path, folder.descriptor)
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
  run += 1
}

/** Removes a name, if it is there; a folder with all that it holds, of which nothing is followed. */
export function remove(file: string): void {
  unless('ENOENT', () => below(file, removeAt))
}

const attempts = 3

function removeAt(at: string): void {
  const stat = lstatSync(at, { throwIfNoEntry: false })
  if (stat?.isDirectory() !== true) {
    if (stat !== undefined) unless('ENOENT', () => unlinkSync(at))
    return
  }
  for (let attempt = 1; ; attempt += 1) {
    const folder = unless('ENOENT', () => openToEmpty(at))
    if (folder === undefined) return
    try {
      for (const name of folder.list()) removeAt(folder.at(name))
    } finally {
      folder.close()
    }
    // somebody may be putting something there
    const isLast = attempt === attempts
    if (succeedsUnless(isLast ? [] : ['ENOTEMPTY', 'EEXIST'], () => unless('ENOENT', () => rmdirSync(at))))
      return
  }
}

/** Opens a folder that is to be removed, and makes it one that may be written, as some caches are not. */
function openToEmpty(at: string): Folder {
  const folder = unless('EACCES', () => Folder.open(at)) ?? openClosed(at)
  const { mode } = fstatSync(folder.descriptor)
  if ((mode & 0o300) !== 0o300) unless('EPERM', () => fchmodSync(folder.descriptor, mode | 0o700))
  return folder
}

/** Opens a folder that its owner may not read, which nobody can by its name and without following a link. */
function openClosed(at: string): Folder {
  const descriptor = openSync(at, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  try {
    chmodSync(pathOf(at, descriptor), 0o700)
    return Folder.open(at)
  } finally {
    closeSync(descriptor)
  }
}

/** Removes a folder unless something is in it, or it is gone. */
export function removeEmpty(dir: string): void {
  unless(['ENOTEMPTY', 'EEXIST', 'ENOENT'], () => below(dir, (at) => rmdirSync(at)))
}

/**
 * Makes a folder and those above it, and follows no link on the way.
 * @returns those that were made, the topmost first.
 * @throws {NotPlainFileError} when a link lies there; the file system's error when a file does.
 */
export function makeFolders(dir: string, place: Place = none): string[] {
  if (!isWatched(dir, place)) {
    const made = mkdirSync(dir, { recursive: true })
    if (made === undefined) return []
    const all: string[] = []
    for (let at = path.resolve(dir); at.length >= made.length; at = path.dirname(at)) all.unshift(at)
    return all
  }
  if (unless('ENOENT', () => held(dir, place)) !== undefined) return []
  const above = dir === place.within ? [] : makeFolders(path.dirname(dir), place)
  const isNew = succeedsUnless('EEXIST', () => below(dir, (at) => mkdirSync(at), place))
  held(dir, place)
  return isNew ? [...above, dir] : above
}

/**
 * Makes sure that a folder, which may not be there yet, is one that no link leads to.
 * @throws {NotPlainFileError} when a link lies there or on the way; the file system's error when a file does.
 */
export function assertNoLinkTo(dir: string): void {
  unless('ENOENT', () => held(dir, none))
}

/** A folder that is held open: nobody who renames folders or puts links in their place leads elsewhere what is done in it. */
export class Folder {
  /** As people know it. */
  readonly name: string
  readonly descriptor: number
  /** By which things in it are reached, in this process and all of its threads while it is open. */
  readonly path: string
  /** Where it really lies. */
  place = ''

  private constructor(name: string, descriptor: number, at = pathOf(name, descriptor)) {
    this.name = name
    this.descriptor = descriptor
    this.path = at
  }

  /** A folder that another thread of this process holds, by its path there; it is that one's to close. */
  static reachedBy(at: string): Folder {
    return new Folder(at, -1, at)
  }

  /**
   * Opens a folder.
   * @param at by which it is reached, where its name may lead elsewhere.
   * @throws {NotPlainFileError} when a link lies there; the file system's error otherwise.
   */
  static open(name: string, at = name): Folder {
    try {
      return new Folder(name, openSync(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK))
    } catch (error) {
      const isLink =
        hasCode(error, 'ELOOP', 'ENOTDIR') &&
        lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true
      throw isLink ? new NotPlainFileError(name, 'a symbolic link', 'a folder') : error
    }
  }

  /** The path of what lies in it under this name; it must be a name without a way. */
  at(name: string): string {
    return `${this.path}${path.sep}${name}`
  }

  list(): string[] {
    return readdirSync(this.path)
  }

  /** Whether a plain file lies under this name. */
  holds(name: string): boolean {
    return lstatSync(this.at(name), { throwIfNoEntry: false })?.isFile() ?? false
  }

  /** Gives a new file this content and then its name, from which whatever has it is taken. */
  put(name: string, text: string): void {
    const aside = this.at(`.${name}.tmp`)
    removeAt(aside)
    writeFileSync(aside, text, { flag: 'wx' })
    renameSync(aside, this.at(name))
  }

  /** Removes a name, if it is there; a folder with all that it holds. */
  remove(name: string): void {
    removeAt(this.at(name))
  }

  /**
   * Opens a folder in this one, and makes it where there is none.
   * @throws as `open` does.
   */
  make(name: string, mode = 0o755): Folder {
    const at = this.at(name)
    const isNew = succeedsUnless('EEXIST', () => mkdirSync(at, { mode }))
    const made = Folder.open(path.join(this.name, name), at)
    if (isNew) fchmodSync(made.descriptor, mode)
    return made
  }

  close(): void {
    closeSync(this.descriptor)
  }
}

function pathOf(name: string, descriptor: number): string {
  return descriptors === undefined ? name : `${descriptors}/${descriptor}`
}

/** Whether a path leads where agents can write. */
function isWatched(dir: string, { within }: Place): boolean {
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
}

/** Folders that are held, the one that was opened last at the end. */
const folders = new Map<string, Held>()
/** Counts how often this thread came back to its loop: within one run a folder is looked at once. */
let run = 0
let isCounting = false
let sweep: NodeJS.Timeout | undefined

/**
 * A folder to which no link leads, opened or still held from before.
 * @throws {NotPlainFileError} when a link does; the file system's error where there is none.
 */
function held(dir: string, place: Place): Folder {
  const key = place.within === undefined ? dir : `${place.within}\0${dir}`
  const known = folders.get(key)
  if (known !== undefined) {
    known.isUsed = true
    if (known.run === run || isStillThere(known.folder)) {
      seen(known)
      return known.folder
    }
    letGo(key, known)
  }
  const folder = openWithoutLinks(dir, place)
  const [oldest] = folders
  if (oldest !== undefined && folders.size >= mostHeld) letGo(...oldest)
  const one = { folder, run, isUsed: true }
  folders.set(key, one)
  seen(one)
  sweep ??= setInterval(letGoUnused, lookMs).unref()
  return folder
}

function seen(one: Held): void {
  one.run = run
  if (isCounting) return
  isCounting = true
  queueMicrotask(() => {
    run += 1
    isCounting = false
  })
}

function letGo(key: string, { folder }: Held): void {
  folders.delete(key)
  folder.close()
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

function isStillThere(folder: Folder): boolean {
  return whereIs(folder) === folder.place
}

/**
 * Opens a folder to which no link leads, for whoever asks to hold and to close.
 * @throws {NotPlainFileError} when a link does; the file system's error where there is none.
 */
export function openFolder(dir: string): Folder {
  return openWithoutLinks(dir, none)
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
function named(error: unknown, folder: Folder): unknown {
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
