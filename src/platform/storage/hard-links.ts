import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { FedError } from '../../errors/fed-error.ts'
import { disk } from './disk.ts'
import { FolderFaultError, isFolder, refusalIn } from './folder-fault.ts'
import { below, remove } from './without-links.ts'
import { hasCode } from './system-error.ts'
import { temporaryIn } from './temporary.ts'

/** Why a folder cannot be worked in: it has no hard links, or nothing can be written there at all. */
export interface LinkFault {
  /** The folder in which it was tried. */
  readonly where: string
  readonly kind: 'no-links' | 'not-writable'
  readonly error: unknown
}

/** Signals and commits are made by giving a file a second name, and the file system cannot do that. */
export class NoHardLinksError extends FedError {
  override readonly exitCode = 2
  readonly what: string
  readonly advice: string

  constructor(dir: string, cause: unknown) {
    const what = `the file system has no hard links (${codeOf(cause)}), which signals and commits need`
    const advice = 'keep the repository on one such as ext4, XFS, APFS or NTFS'
    super(`${dir}: ${what}; ${advice}`, { cause })
    this.what = what
    this.advice = advice
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? `${String(error.code)}, link` : String(error)
}

/**
 * Tries it, and leaves nothing: what a file system says about itself is not as sure. A folder that is not there
 * yet will be on the file system of the one above it.
 */
export function linkFault(dir: string): LinkFault | undefined {
  const where = isFolder(dir) ? dir : path.dirname(dir)
  const trial = temporaryIn(where)
  let isMade = false
  try {
    below(trial, (at) => mkdirSync(at))
    disk.create(path.join(trial, 'a'), '', { isDurable: false })
    isMade = true
    disk.link(path.join(trial, 'a'), path.join(trial, 'b'))
    return undefined
  } catch (error) {
    const isFull = hasCode(error, 'EROFS', 'EACCES', 'ENOSPC', 'EDQUOT', 'EIO')
    return { where, kind: isMade && !isFull ? 'no-links' : 'not-writable', error }
  } finally {
    remove(trial)
  }
}

/** @throws {NoHardLinksError | FolderFaultError} where signals and commits could not be made. */
export function assertUsableDisk(dir: string): void {
  const fault = linkFault(dir)
  if (fault === undefined) return
  const { where, kind, error } = fault
  throw kind === 'no-links'
    ? new NoHardLinksError(where, error)
    : new FolderFaultError(where, refusalIn(where, error))
}
