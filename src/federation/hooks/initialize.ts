import { realpathSync } from 'node:fs'
import path from 'node:path'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { now } from '../../protocol/time.ts'
import { disk } from '../../platform/storage/disk.ts'
import { v4 as uuid } from 'uuid'
import { loadHook } from './load-hook.ts'
import { callHook } from './thread.ts'

/**
 * Calls a hook's `onInit` for a federation, and notes that it was done: at least once for each module.
 * @param again also where it was done already.
 * @throws {HookError} when the module cannot be used at all.
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
  const text = disk.read(federationLayout(root).hookInitialized)
  return text !== undefined && text.includes(JSON.stringify(nameOf(root, file)))
}

function note(root: string, file: string): void {
  const { fed, hookInitialized } = federationLayout(root)
  const aside = path.join(fed, `.${uuid()}.tmp`)
  disk.create(aside, `${JSON.stringify({ module: nameOf(root, file), at: now() })}\n`)
  disk.rename(aside, hookInitialized)
}
