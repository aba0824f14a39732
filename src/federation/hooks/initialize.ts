import { realpathSync } from 'node:fs'
import path from 'node:path'
import { isInitialized, noteInitialized } from './initialized.ts'
import { loadHook } from './load-hook.ts'
import { callHook } from './call-hook.ts'

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
