import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { unless } from '../../errors/unless.ts'
import { NotPlainFileError } from '../../errors/document-errors.ts'
import { whatLiesThere } from './outside-file.ts'
import { naming } from './system-error.ts'

/** What a file is opened for; `write` and `append` make it where there is none, and keep what it holds. */
export type PlainUse = 'read' | 'write' | 'append'

const flagsOf: Readonly<Record<PlainUse, number>> = {
  read: constants.O_RDONLY,
  write: constants.O_RDWR | constants.O_CREAT,
  append: constants.O_RDWR | constants.O_CREAT | constants.O_APPEND,
}

export interface PlainOptions {
  /** Whether a symbolic link may stand for the file; its end must be a plain file all the same. */
  readonly followLinks?: boolean
}

/**
 * Opens a file in a place where agents can write, too. It never waits (for the other end of a pipe, for a device),
 * and what it opened is a plain file that lies under this very name.
 * @returns its descriptor.
 * @throws {NotPlainFileError} when something else lies there; the file system's error otherwise.
 */
export function openPlain(file: string, use: PlainUse, { followLinks = false }: PlainOptions = {}): number {
  const noFollow = followLinks ? 0 : (constants.O_NOFOLLOW ?? 0)
  let descriptor: number
  try {
    descriptor = openSync(file, flagsOf[use] | (constants.O_NONBLOCK ?? 0) | noFollow, 0o666)
  } catch (error) {
    const found = whatLiesThere(error)
    throw found === undefined ? error : new NotPlainFileError(file, found)
  }
  try {
    const stat = fstatSync(descriptor)
    if (stat.isFile()) return descriptor
    throw new NotPlainFileError(file, stat.isDirectory() ? 'a folder' : 'a pipe or a device')
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
}

/**
 * Makes sure that a plain file lies there, or nothing.
 * @throws as `openPlain` does.
 */
export function assertPlain(file: string): void {
  unless('ENOENT', () => closeSync(openPlain(file, 'read')))
}

/** What `use` makes of an open file, which is closed after it. */
function closing<Result>(descriptor: number, use: (descriptor: number) => Result): Result {
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** What `read` makes of a file; undefined where no plain file is that may be read. */
export function ifPlain<Result>(
  file: string,
  read: (descriptor: number) => Result,
  options?: PlainOptions,
): Result | undefined {
  const descriptor = unless([NotPlainFileError, 'ENOENT', 'ENOTDIR', 'EACCES'], () =>
    openPlain(file, 'read', options),
  )
  return descriptor === undefined ? undefined : closing(descriptor, read)
}

/**
 * Reads a plain file whole.
 * @throws as `openPlain` does.
 */
export function readPlain(file: string, options?: PlainOptions): Buffer {
  return closing(openPlain(file, 'read', options), (descriptor) => readFileSync(descriptor))
}

/**
 * Makes this all that a plain file holds.
 * @throws as `openPlain` does.
 */
export function writePlain(file: string, text: string): void {
  // a file with two names may be another's: this name leads to a new one
  const names = lstatSync(file, { throwIfNoEntry: false })
  if (names?.isFile() && names.nlink > 1) unlinkSync(file)
  closing(openPlain(file, 'write'), (descriptor) => {
    ftruncateSync(descriptor)
    writeAt(file, descriptor, Buffer.from(text), 0)
  })
}

/**
 * Appends to a plain file.
 * @throws as `openPlain` does.
 */
export function appendPlain(file: string, bytes: Buffer | string, options?: PlainOptions): void {
  closing(openPlain(file, 'append', options), (descriptor) =>
    writeAt(file, descriptor, Buffer.from(bytes), null),
  )
}

/** Writes all of it, at a position or, with null, where the descriptor writes; an error names the file. */
export function writeAt(file: string, descriptor: number, bytes: Buffer, position: number | null): void {
  for (let written = 0; written < bytes.length;) {
    const at = position === null ? null : position + written
    written += naming(file, () => writeSync(descriptor, bytes, written, bytes.length - written, at))
  }
}
