import { realpathSync } from 'node:fs'
import path from 'node:path'
import { loadHook } from './load-hook.ts'
import { callHook } from './call-hook.ts'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { now, timestampSchema } from '../../protocol/time.ts'
import { replaceFile } from '../../platform/storage/disk.ts'
import { readSmallDocument } from '../small-document.ts'

/**
 * Calls a hook's `onInit` for a federation, and notes that it was done: at least once for each module.
 * @param again also where it was done already.
 * @throws {HookError} when the module cannot be used at all; {NewerFormatError}
 */
export async function initializeByHook(root: string, configured: string, again: boolean): Promise<void> {
  const { file, functions } = await loadHook(root, configured)
  const module = path.relative(realpathSync(root), file)
  const isDone = isInitialized(root, module)
  if (!functions.includes('onInit') || (isDone && !again)) return
  const [done] = await callHook(root, configured, [{ name: 'onInit', facts: { root } }])
  if (done !== undefined) noteInitialized(root, module)
}

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
function noteInitialized(root: string, module: string): void {
  replaceFile(federationLayout(root).hookInitialized, format.textOf({ module, at: now() }))
}
