import { closeSync, ftruncateSync, lstatSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { unless } from '../../errors/unless.ts'
import { NotPlainFileError } from '../../errors/document-errors.ts'
import { below, createNew, reach, type Opening, type Use } from './without-links.ts'
import { naming } from './system-error.ts'

/**
 * Opens a plain file, as `reach` does.
 * @returns its descriptor.
 */
export function openPlain(file: string, use: Use, opening?: Opening): number {
  return reach(file, use, opening).descriptor
}

/**
 * Makes sure that a plain file lies there, or nothing.
 * @throws as `reach` does.
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

/** What `read` makes of a file, however large it is; undefined where no plain file is that may be read. */
export function ifPlain<Result>(file: string, read: (descriptor: number) => Result): Result | undefined {
  const descriptor = unless([NotPlainFileError, 'ENOENT', 'ENOTDIR', 'EACCES'], () =>
    openPlain(file, 'read', { largestBytes: Infinity }),
  )
  return descriptor === undefined ? undefined : closing(descriptor, read)
}

/**
 * Reads a plain file whole.
 * @throws as `reach` does.
 */
export function readPlain(file: string, opening?: Opening): Buffer {
  return closing(openPlain(file, 'read', opening), (descriptor) => readFileSync(descriptor))
}

/**
 * Makes this all that a plain file holds.
 * @throws as `reach` does.
 */
export function writePlain(file: string, text: string): void {
  below(file, (at) => {
    // a file with two names may be another's: this name leads to a new one
    const names = lstatSync(at, { throwIfNoEntry: false })
    if (names?.isFile() && names.nlink > 1) unlinkSync(at)
  })
  closing(openPlain(file, 'write', { largestBytes: Infinity }), (descriptor) => {
    ftruncateSync(descriptor)
    writeAt(file, descriptor, Buffer.from(text), 0)
  })
}

/**
 * Appends to a plain file.
 * @throws as `reach` does.
 */
export function appendPlain(file: string, bytes: Buffer | string, opening?: Opening): void {
  closing(openPlain(file, 'append', opening), (descriptor) =>
    writeAt(file, descriptor, Buffer.from(bytes), null),
  )
}

/**
 * Makes an empty file.
 * @returns false when the name is taken.
 */
export function makePlain(file: string): boolean {
  const descriptor = unless('EEXIST', () => createNew(file, 0o666))
  if (descriptor !== undefined) closeSync(descriptor)
  return descriptor !== undefined
}

/** Writes all of it, at a position or, with null, where the descriptor writes; an error names the file. */
export function writeAt(file: string, descriptor: number, bytes: Buffer, position: number | null): void {
  for (let written = 0; written < bytes.length;) {
    const at = position === null ? null : position + written
    written += naming(file, () => writeSync(descriptor, bytes, written, bytes.length - written, at))
  }
}
