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
  renameSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { NotPlainFileError } from '../../errors/document-errors.ts'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { hasCode } from './system-error.ts'

/**
 * Where descriptors have names, by which what lies in a folder is reached whatever the folder is called by then. The
 * process's own number leads there a little faster; the `/proc` of other processes does not know it.
 */
export const descriptors = [`/proc/${process.pid}/fd`, '/proc/self/fd'].find(
  (place) => process.platform === 'linux' && isOwn(place),
)

function isOwn(place: string): boolean {
  return existsSync(place) && readlinkSync('/proc/self') === String(process.pid)
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } = constants

/** To hold what may not be read; Linux has it, and `node:fs` no name for it. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : 0

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

/** By which what is open is reached; its own name where descriptors have none. */
export function pathOf(name: string, descriptor: number): string {
  return descriptors === undefined ? name : `${descriptors}/${descriptor}`
}

const attempts = 3

/** Removes what lies under a name, if something does; a folder with all that it holds, of which nothing is followed. */
export function removeAt(at: string): void {
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
