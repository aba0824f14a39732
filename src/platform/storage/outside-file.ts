import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs'
import { unless } from '../../errors/unless.ts'
import { roomFor, textOf } from './large-texts.ts'

export interface OutsideLimits {
  /** A larger file is not read: it would only cost memory. */
  readonly largestBytes: number
  /** Whether a symbolic link may stand for the file; its end must be a regular file all the same. */
  readonly followLinks: boolean
  /** Bytes that are no UTF-8 are read as U+FFFD, because they damage one line of many and not the file. */
  readonly anyBytes?: boolean
}

export type OutsideFile =
  | { readonly kind: 'text'; readonly text: string; readonly stat: Stats }
  /** Something is there that cannot be what was meant; `stat` is missing where not even that could be had. */
  | {
      readonly kind: 'fault'
      readonly fault: string
      readonly stat: Stats | undefined
      /** Of a file that could not even be opened. */
      readonly cause?: unknown
    }
  | { readonly kind: 'missing' }

/** Codes of an open that failed because of what lies there, and what that is. */
const openFaults: Readonly<Record<string, string>> = {
  ELOOP: 'a symbolic link, not a regular file',
  ENXIO: 'a socket or a pipe, not a regular file',
  ENODEV: 'a device, not a regular file',
  EOPNOTSUPP: 'a socket, not a regular file',
  EISDIR: 'a folder, not a regular file',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
}

/**
 * Reads a file that somebody else may have put there. Never waits for a writer, never follows a link unless
 * told to, never reads what has no end: only a regular file that is not too large and holds UTF-8 is a text.
 * A byte order mark is no part of it.
 * @throws the file system's error when it is not the file's fault, such as no more descriptors.
 */
export function readOutside(file: string, limits: OutsideLimits): OutsideFile {
  const { largestBytes, followLinks, anyBytes = false } = limits
  let descriptor: number
  try {
    // a pipe that nobody writes to would otherwise hold the reader for ever
    const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)
    descriptor = openSync(file, followLinks ? flags : flags | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    return afterFailedOpen(file, error, followLinks)
  }
  try {
    const stat = fstatSync(descriptor)
    const fault = faultOf(stat, largestBytes)
    if (fault !== undefined) return { kind: 'fault', fault, stat }
    const bytes = roomFor(stat.size)
    let length = 0
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSync(descriptor, bytes, length, bytes.length - length, length)
    const content = bytes.subarray(0, length)
    const text = textOf(content) ?? (anyBytes ? content.toString('utf8') : undefined)
    if (text === undefined) return { kind: 'fault', fault: 'not UTF-8 text', stat }
    return { kind: 'text', text: withoutMark(text), stat }
  } finally {
    closeSync(descriptor)
  }
}

/** The same of a file in a folder where there may be something else than a folder: then there is no file. */
export function readBelow(file: string, limits: OutsideLimits): OutsideFile {
  return unless('ENOTDIR', () => readOutside(file, limits)) ?? { kind: 'missing' }
}

function faultOf(stat: Stats, largestBytes: number): string | undefined {
  if (stat.isDirectory()) return 'a folder, not a regular file'
  if (!stat.isFile()) return 'not a regular file'
  return stat.size > largestBytes ? `${stat.size} bytes, more than ${largestBytes}` : undefined
}

/** What an open met that failed because of what lies there, in words; undefined for any other failure. */
export function whatLiesThere(error: unknown): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') return undefined
  return openFaults[code]?.replace(', not a regular file', '')
}

function afterFailedOpen(file: string, error: unknown, followLinks: boolean): OutsideFile {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') {
    if (!followLinks || !stat?.isSymbolicLink()) return { kind: 'missing' }
    return { kind: 'fault', fault: 'a symbolic link that leads nowhere', stat }
  }
  const fault = openFaults[code]
  if (fault === undefined) throw error
  return { kind: 'fault', fault, stat, cause: error }
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
