import { UnreadableDocumentError } from './document-errors.ts'
import { FedError } from './fed-error.ts'
import { printable } from './printable.ts'

/** What to do with what a newer release wrote. */
export const newerAdvice = 'use the fed that wrote it, or a newer one'

/** A newer release wrote a file in a format that this one does not know; it is whole, and stays as it is. */
export class NewerFormatError extends UnreadableDocumentError {
  /** Name of the format in the file, such as `fed-chat-2`. */
  readonly found: string
  /** Name of the newest format that this release reads. */
  readonly newest: string

  constructor(file: string, found: string, newest: string) {
    const reason = `a newer fed wrote it, as ${printable(found)}, and this one reads up to ${newest}`
    super(`${printable(file, Infinity)}: ${reason}. Nothing was changed: ${newerAdvice}`, file, reason)
    this.found = found
    this.newest = newest
  }
}

const shape = /^(fed-[a-z-]+)-([1-9]\d{0,8})$/

/**
 * Lets everything pass but a later version of a format; whether the rest is right says whoever reads it.
 * @param found what a file gives as the name of its format.
 * @param newest name of the newest version that is read here, `fed-<what>-<version>`.
 * @throws {NewerFormatError}
 */
export function refuseNewer(file: string, found: unknown, newest: string): void {
  if (found === newest || typeof found !== 'string') return
  const [, what, version] = shape.exec(found) ?? []
  const [, known, last] = shape.exec(newest) ?? []
  if (what === known && Number(version) > Number(last)) throw new NewerFormatError(file, found, newest)
}

/** Whether something is wrong in a way that fed knows, and not because a newer release wrote it. */
export function isOtherThanNewer(error: unknown): boolean {
  return error instanceof FedError && !(error instanceof NewerFormatError)
}
