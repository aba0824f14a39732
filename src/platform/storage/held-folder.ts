import {
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { succeedsUnless } from '../../errors/unless.ts'
import { NotPlainFileError } from '../../errors/document-errors.ts'
import { appendPlain } from './plain-file.ts'
import { hasCode } from './system-error.ts'

/** Where descriptors have names by which what lies in a folder is reached, whatever the folder is called by then. */
const descriptors = process.platform === 'linux' ? '/proc/self/fd' : undefined

/** What lies in a folder, by names without a way; none of them is followed where it is a link. */
export class FolderAt {
  /** By which things in it are reached. */
  readonly path: string

  constructor(at: string) {
    this.path = at
  }

  /** The path of what lies in it under this name. */
  at(name: string): string {
    return path.join(this.path, name)
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
    rmSync(aside, { recursive: true, force: true })
    writeFileSync(aside, text, { flag: 'wx' })
    renameSync(aside, this.at(name))
  }

  /**
   * Appends to a plain file, and makes it where there is none.
   * @throws {NotPlainFileError} when something else lies there.
   */
  append(name: string, bytes: Buffer): void {
    appendPlain(this.at(name), bytes)
  }

  /** Removes a name, if it is there; a folder with all that it holds. */
  remove(name: string): void {
    rmSync(this.at(name), { recursive: true, force: true })
  }
}

/**
 * A folder that is held open, so that nobody who renames folders or puts links in their place leads anywhere else
 * what is done in it. Where the system gives descriptors no names, it is looked at when it is opened only.
 */
export class HeldFolder extends FolderAt {
  readonly #descriptor: number
  /** As people know it. */
  readonly name: string

  private constructor(name: string, descriptor: number) {
    // of use in this process alone, in all of its threads, while it is open
    super(descriptors === undefined ? name : path.join(descriptors, String(descriptor)))
    this.name = name
    this.#descriptor = descriptor
  }

  /**
   * Opens a folder.
   * @throws {NotPlainFileError} when something else lies there, a link to a folder too.
   */
  static open(name: string, at = name): HeldFolder {
    const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants
    try {
      return new HeldFolder(name, openSync(at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW))
    } catch (error) {
      if (hasCode(error, 'ELOOP', 'ENOTDIR')) throw new NotPlainFileError(name, 'a link or a file')
      throw error
    }
  }

  /**
   * Opens a folder in this one, and makes it where there is none.
   * @throws as `open` does.
   */
  make(name: string, mode = 0o755): HeldFolder {
    const at = this.at(name)
    const isNew = succeedsUnless('EEXIST', () => mkdirSync(at, { mode }))
    const made = HeldFolder.open(path.join(this.name, name), at)
    if (isNew) fchmodSync(made.#descriptor, mode)
    return made
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
