import * as z from 'zod/mini'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { now, timestampSchema } from '../../protocol/time.ts'
import { replaceFile } from '../../platform/storage/disk.ts'
import { readSmallDocument } from '../small-document.ts'

const format = ownFormat(
  'fed-hook-initialized-1',
  z.strictObject({ module: z.string(), at: timestampSchema }),
)

/**
 * Whether a module has initialized a federation.
 * @param module its path from the root.
 * @throws {NewerFormatError}
 */
export function isInitialized(root: string, module: string): boolean {
  try {
    const noted = readSmallDocument(federationLayout(root).hookInitialized, format, { followLinks: false })
    return noted?.module === module
  } catch (error) {
    // it may be called once more, and not once less
    if (error instanceof CorruptDocumentError) return false
    throw error
  }
}

/** Notes that a module has initialized a federation, in place of the one before it. */
export function noteInitialized(root: string, module: string): void {
  replaceFile(federationLayout(root).hookInitialized, format.textOf({ module, at: now() }))
}
