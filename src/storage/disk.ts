import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'

/** The few things that this project asks of a file system; each is atomic as seen by other processes. */
export interface Disk {
  /** The file's text, or undefined where there is none. */
  read(file: string): string | undefined
  exists(file: string): boolean
  /** Names in a folder, in no order; none where there is no such folder. */
  list(dir: string): string[]
  /** Milliseconds since the file's content last changed, or undefined where there is none. */
  age(file: string): number | undefined
  /**
   * Writes a new file whole, durable before it returns. Never give this a name that others look at.
   * @param mode permissions; nobody edits it (0444) unless told otherwise.
   */
  create(file: string, text: string, mode?: number): void
  /** Gives an existing file a second name; false when that name is taken. */
  link(existing: string, file: string): boolean
  rename(from: string, to: string): void
  /** Removes a name; false when it was not there. */
  unlink(file: string): boolean
  /** Makes the names in a folder durable. */
  syncDirectory(dir: string): void
}

/** Permissions of a file that people may edit. */
export const WRITABLE = 0o644

/** True when `error` is a file system error with one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

function unless<T>(code: string, missing: T, attempt: () => T): T {
  try {
    return attempt()
  } catch (error) {
    if (hasCode(error, code)) return missing
    throw error
  }
}

/**
 * `power` (default): what was committed survives a power cut. `process`: it survives the death of every
 * process, and the kernel decides when it reaches the disk; for tests and throw-away federations.
 */
export function isPowerSafe(): boolean {
  return process.env.FED_DURABILITY !== 'process'
}

export const disk: Disk = {
  read: (file) => unless<string | undefined>('ENOENT', undefined, () => readFileSync(file, 'utf8')),
  exists: existsSync,
  list: (dir) => unless<string[]>('ENOENT', [], () => readdirSync(dir)),
  age: (file) => unless<number | undefined>('ENOENT', undefined, () => Date.now() - statSync(file).mtimeMs),
  create(file, text, mode = 0o444) {
    const descriptor = openSync(file, 'wx', mode)
    try {
      const bytes = Buffer.from(text)
      for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
      // without this a power cut leaves a file of length zero under its final name
      if (isPowerSafe()) fdatasyncSync(descriptor)
    } catch (error) {
      // a full disk leaves half a file, which nobody would ever remove
      unlinkSync(file)
      throw error
    } finally {
      closeSync(descriptor)
    }
  },
  link: (existing, file) =>
    unless('EEXIST', false, () => {
      linkSync(existing, file)
      return true
    }),
  rename: renameSync,
  unlink: (file) =>
    unless('ENOENT', false, () => {
      unlinkSync(file)
      return true
    }),
  syncDirectory(dir) {
    if (!isPowerSafe()) return
    const descriptor = openSync(dir, 'r')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  },
}

/** Makes a folder and those above it; what was made is durable before this returns. */
export function makeDirectory(dir: string): void {
  const made = mkdirSync(dir, { recursive: true })
  if (made === undefined) return
  for (let at = path.resolve(dir); at.length >= made.length; at = path.dirname(at)) {
    disk.syncDirectory(path.dirname(at))
  }
}
