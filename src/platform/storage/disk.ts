import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  statSync,
  unlinkSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { bytesOf } from './large-texts.ts'
import { readOutside } from './outside-file.ts'
import { writeAt } from './plain-file.ts'
import { below, createNew, inFolder, largestText, makeFolders, move } from './without-links.ts'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { hasCode, naming } from './system-error.ts'
import { temporaryIn } from './temporary.ts'

/** The few things that this project asks of a file system; each is atomic as seen by other processes. */
export interface Disk {
  /**
   * The file's text, or undefined where there is none.
   * @throws {CorruptDocumentError} when something else lies there: a folder, a pipe, bytes that are no text.
   */
  read(file: string): string | undefined
  exists(file: string): boolean
  /** Names in a folder, in no order; none where there is no such folder. */
  list(dir: string): string[]
  /** Milliseconds since the file's content last changed, or undefined where there is none. */
  age(file: string): number | undefined
  /** Bytes of a file's content, or undefined where there is none. */
  size(file: string): number | undefined
  /** Writes a new file whole, durable before it returns. Never give this a name that others look at. */
  create(file: string, text: string, options?: Creation): void
  /** Gives an existing file a second name; returns false when that name is taken. */
  link(existing: string, file: string): boolean
  rename(from: string, to: string): void
  /** Removes a name; returns false when it was not there. */
  unlink(file: string): boolean
  /** Makes the names in a folder durable. */
  syncDirectory(dir: string): void
}

/** Permissions of a file that people may edit. */
export const WRITABLE = 0o644

export interface Creation {
  /** Permissions; without them 0444, because most files are not to be edited. */
  readonly mode?: number
  /** False for a file that is simply made again when a power cut takes it. */
  readonly isDurable?: boolean
}

/**
 * Whether what is committed survives a power cut: always, unless `FED_DURABILITY` is `process`. Then it
 * survives the death of every process, and the kernel decides when it reaches the disk; for tests and
 * throw-away federations.
 */
export function isPowerSafe(): boolean {
  return process.env.FED_DURABILITY !== 'process'
}

/**
 * Writes a new file and leaves it open. When a write fails, as on a full disk, the half-written file is
 * removed.
 * @returns its descriptor.
 */
function write(file: string, text: string, mode = 0o444): number {
  const descriptor = createNew(file, mode)
  try {
    writeAt(file, descriptor, bytesOf(text), null)
  } catch (error) {
    closeSync(descriptor)
    disk.unlink(file)
    throw error
  }
  return descriptor
}

export const disk: Disk = {
  read(file) {
    const outside = readOutside(file, { largestBytes: largestText, followLinks: false })
    if (outside.kind === 'fault') {
      if (hasCode(outside.cause, 'EACCES', 'EPERM')) throw outside.cause
      throw new CorruptDocumentError(file, `it is ${outside.fault}`)
    }
    return outside.kind === 'text' ? outside.text : undefined
  },
  exists: existsSync,
  list: (dir) => unless('ENOENT', () => inFolder(dir, (at) => readdirSync(at))) ?? [],
  // a file's time is finer than the clock, and may be a part of a millisecond ahead of it
  age: (file) => unless('ENOENT', () => Math.max(0, Date.now() - statSync(file).mtimeMs)),
  size: (file) => statSync(file, { throwIfNoEntry: false })?.size,
  create(file, text, { mode, isDurable = true } = {}) {
    const descriptor = write(file, text, mode)
    try {
      // without this a power cut leaves a file of length zero under its final name
      if (isDurable && isPowerSafe()) naming(file, () => fdatasyncSync(descriptor))
    } catch (error) {
      disk.unlink(file)
      throw error
    } finally {
      closeSync(descriptor)
    }
  },
  link: (existing, file) =>
    succeedsUnless('EEXIST', () => below(existing, (from) => below(file, (to) => linkSync(from, to)))),
  rename: move,
  unlink: (file) => succeedsUnless('ENOENT', () => below(file, unlinkSync)),
  syncDirectory(dir) {
    if (isPowerSafe()) inFolder(dir, (at, held) => flushFolder(dir, at, held))
  },
}

const flush = promisify(fdatasync)

/**
 * Creates several files, as `create` does; their flushes are under way together, which takes a third of the
 * time. All of them are durable when it resolves, and none is there when it rejects.
 */
export async function createAll(files: readonly { readonly file: string; readonly text: string }[]) {
  const [only, ...others] = files
  if (only !== undefined && others.length === 0) return disk.create(only.file, only.text)
  const created: string[] = []
  try {
    for (let from = 0; from < files.length; from += openAtOnce) {
      await createSome(files.slice(from, from + openAtOnce), created)
    }
  } catch (error) {
    for (const file of created) disk.unlink(file)
    throw error
  }
}

/** At most how many files are open at the same time: a process may open only a limited number. */
const openAtOnce = 64

async function createSome(
  files: readonly { readonly file: string; readonly text: string }[],
  created: string[],
): Promise<void> {
  const written: { readonly file: string; readonly descriptor: number }[] = []
  try {
    for (const { file, text } of files) {
      written.push({ file, descriptor: write(file, text) })
      created.push(file)
    }
    if (!isPowerSafe()) return
    // each is waited for, also after a failure: none may be closed while it is being flushed
    const flushes = await Promise.allSettled(written.map(({ descriptor }) => flush(descriptor)))
    const failed = flushes.findIndex(({ status }) => status === 'rejected')
    const flushed = flushes[failed]
    if (flushed?.status === 'rejected') {
      throw Object.assign(flushed.reason as Error, { path: written[failed]?.file })
    }
  } finally {
    for (const { descriptor } of written) closeSync(descriptor)
  }
}

/**
 * Gives a file of this content its name, whole, unless the name is taken.
 * @param aside folder where it is written first; must be on the same file system, and nobody looks there.
 * @returns false when the name is taken.
 */
export function createOnce(
  file: string,
  text: string,
  aside = path.dirname(file),
  options?: Creation,
): boolean {
  const temporary = temporaryIn(aside)
  disk.create(temporary, text, options)
  try {
    return disk.link(temporary, file)
  } finally {
    disk.unlink(temporary)
  }
}

/**
 * Gives a file this content, whole: whoever reads it meanwhile sees what was there before or this.
 * @param aside as with `createOnce`.
 */
export function replaceFile(
  file: string,
  text: string,
  aside = path.dirname(file),
  options?: Creation,
): void {
  const temporary = temporaryIn(aside)
  disk.create(temporary, text, options)
  try {
    disk.rename(temporary, file)
  } catch (error) {
    disk.unlink(temporary)
    throw error
  }
}

function flushFolder(dir: string, at: string, held: number | undefined): void {
  const descriptor = held ?? openSync(at, 'r')
  try {
    naming(dir, () => fsyncSync(descriptor))
  } finally {
    if (held === undefined) closeSync(descriptor)
  }
}

/**
 * Makes a folder and those above it; what was made is durable before this returns.
 * @throws as `reach` does.
 */
export function makeDirectory(dir: string): void {
  for (const made of makeFolders(dir).toReversed()) disk.syncDirectory(path.dirname(made))
}
