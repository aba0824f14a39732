import { realpathSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { now, timestampSchema } from '../../protocol/time.ts'
import { disk } from '../../platform/storage/disk.ts'
import { v4 as uuid } from 'uuid'
import { readSmallDocument } from '../small-document.ts'
import { loadHook } from './load-hook.ts'
import { callHook } from './thread.ts'

/** Which module initialized a federation, seen from its root. */
const format = ownFormat(
  'fed-hook-initialized-1',
  z.strictObject({ module: z.string(), at: timestampSchema }),
)

/**
 * Calls a hook's `onInit` for a federation, and notes that it was done: at least once for each module.
 * @param again also where it was done already.
 * @throws {HookError} when the module cannot be used at all; {NewerFormatError}
 */
export async function initializeByHook(root: string, configured: string, again: boolean): Promise<void> {
  const { file, functions } = await loadHook(root, configured)
  if (!functions.includes('onInit') || (!again && isInitialized(root, file))) return
  const [done] = await callHook(root, configured, [{ name: 'onInit', facts: { root } }])
  if (done !== undefined) note(root, file)
}

function nameOf(root: string, file: string): string {
  return path.relative(realpathSync(root), file)
}

function isInitialized(root: string, file: string): boolean {
  try {
    const noted = readSmallDocument(federationLayout(root).hookInitialized, format, { followLinks: true })
    return noted?.module === nameOf(root, file)
  } catch (error) {
    // it is told again
    if (error instanceof CorruptDocumentError) return false
    throw error
  }
}

function note(root: string, file: string): void {
  const { fed, hookInitialized } = federationLayout(root)
  const aside = path.join(fed, `.${uuid()}.tmp`)
  disk.create(aside, format.textOf({ module: nameOf(root, file), at: now() }))
  disk.rename(aside, hookInitialized)
}
