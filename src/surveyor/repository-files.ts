import { lstatSync, realpathSync } from 'node:fs'
import type { Stats } from 'node:fs'
import path from 'node:path'
import { NotPlainFileError } from '../errors/document-errors.ts'
import { readPlain } from '../platform/storage/plain-file.ts'

/** What the file system says of a regular file: while none of it changes, nor does the content. */
export interface FileStamp {
  size: number
  /** Last change of the content, and of anything at all, in milliseconds with fractions. */
  modified: number
  changed: number
  inode: number
}

/** Errors of a file that is there and cannot be had: others own it, or it went away this moment. */
const UNREADABLE = new Set(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'EIO'])

/**
 * Reads files of the working tree, and never one that a symbolic link leads to from inside the repository.
 * Each file is looked at once: what is said of it holds for the whole survey.
 */
export class RepositoryFiles {
  readonly #root: string
  readonly #folders = new Map<string, boolean>([['.', true]])
  readonly #stamps = new Map<string, FileStamp | undefined>()

  constructor(root: string) {
    this.#root = realpathSync(root)
  }

  /** Undefined where there is no regular file whose folders are real ones below the root. */
  stamp(file: string): FileStamp | undefined {
    if (this.#stamps.has(file)) return this.#stamps.get(file)
    const stamp = this.#look(file)
    this.#stamps.set(file, stamp)
    return stamp
  }

  /** Undefined where there is no such file, or it may not be read. */
  bytes(file: string): Buffer | undefined {
    if (this.stamp(file) === undefined) return undefined
    try {
      return readPlain(path.join(this.#root, file))
    } catch (error) {
      if (error instanceof NotPlainFileError) return undefined
      if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
      throw error
    }
  }

  /** The text of a file as it is on disk now; empty where there is none. */
  text(file: string): string {
    return this.bytes(file)?.toString('utf8') ?? ''
  }

  #look(file: string): FileStamp | undefined {
    if (!this.#isReal(path.posix.dirname(file))) return undefined
    const found = this.#stat(file)
    if (found?.isFile() !== true) return undefined
    return { size: found.size, modified: found.mtimeMs, changed: found.ctimeMs, inode: found.ino }
  }

  /** Whether a folder and all above it, up to the root, are folders and no links to some. */
  #isReal(folder: string): boolean {
    const known = this.#folders.get(folder)
    if (known !== undefined) return known
    const isReal = this.#isReal(path.posix.dirname(folder)) && this.#stat(folder)?.isDirectory() === true
    this.#folders.set(folder, isReal)
    return isReal
  }

  #stat(file: string): Stats | undefined {
    try {
      return lstatSync(`${this.#root}/${file}`, { throwIfNoEntry: false })
    } catch (error) {
      if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
      throw error
    }
  }
}
