import { closeSync, lstatSync, readSync, statSync, type Stats } from 'node:fs'
import { NotPlainFileError } from '../../errors/document-errors.ts'
import { unless } from '../../errors/unless.ts'
import { roomFor, textOf } from './large-texts.ts'
import { type Place } from './held-folders.ts'
import { reach, type Opened } from './without-links.ts'
import { hasCode } from './system-error.ts'

export interface OutsideLimits extends Place {
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

/**
 * Reads a file that somebody else may have put there. Never waits for a writer, never follows a link unless
 * told to, never reads what has no end: only a regular file that is not too large and holds UTF-8 is a text.
 * A byte order mark is no part of it.
 * @throws the file system's error when it is not the file's fault, such as no more descriptors.
 */
export function readOutside(file: string, limits: OutsideLimits): OutsideFile {
  let opened: Opened
  try {
    opened = reach(file, 'read', limits)
  } catch (error) {
    return afterFailedOpen(file, error, limits)
  }
  const { descriptor, stat } = opened
  try {
    const bytes = roomFor(stat.size)
    let length = 0
    for (let count = -1; count !== 0 && length < bytes.length; length += count)
      count = readSync(descriptor, bytes, length, bytes.length - length, length)
    const content = bytes.subarray(0, length)
    const text = textOf(content) ?? (limits.anyBytes === true ? content.toString('utf8') : undefined)
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

function afterFailedOpen(file: string, error: unknown, { followLinks }: OutsideLimits): OutsideFile {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (error instanceof NotPlainFileError) {
    // of what lies on the way the file cannot be said to be anything
    if (error.file !== file) throw error
    const isLarge = (followLinks ? whereItLeads(file) : stat)?.isFile() === true
    return { kind: 'fault', fault: isLarge ? error.found : `${error.found}, not a regular file`, stat }
  }
  if (hasCode(error, 'ENOENT')) {
    if (!followLinks || !stat?.isSymbolicLink()) return { kind: 'missing' }
    return { kind: 'fault', fault: 'a symbolic link that leads nowhere', stat }
  }
  if (!hasCode(error, 'EACCES', 'EPERM')) throw error
  return { kind: 'fault', fault: 'no permission to read it', stat, cause: error }
}

/** What links lead to; undefined where they lead nowhere, or in a circle. */
function whereItLeads(file: string): Stats | undefined {
  return unless('ELOOP', () => statSync(file, { throwIfNoEntry: false }))
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}
