import path from 'node:path'
import { NotPlainFileError } from '../../errors/document-errors.ts'
import { FedError } from '../../errors/fed-error.ts'
import { makeFolders } from '../../platform/storage/without-links.ts'
import { hasCode } from '../../platform/storage/system-error.ts'

/**
 * Makes a folder below another, one name after the other, and follows no link on the way: what is written there
 * lands there.
 * @param base is there.
 * @throws {FedError} when something else lies at one of the names.
 */
export function makeFolder(base: string, ...names: readonly string[]): string {
  const folder = path.join(base, ...names)
  try {
    makeFolders(folder, { within: base })
  } catch (error) {
    if (!(error instanceof NotPlainFileError) && !hasCode(error, 'ENOTDIR')) throw error
    const place = error instanceof NotPlainFileError ? error.file : folder
    throw new FedError(`${place} is no folder but a link or a file; remove it and try again`)
  }
  return folder
}
