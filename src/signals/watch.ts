import { watch, type FSWatcher } from 'node:fs'
import { hasCode } from '../storage/system-error.ts'

/** How often an inbox is looked at although no hint came, in milliseconds. */
const pollMs = 2000

/**
 * Calls `look` soon after names appear in or leave a folder, once for all that came together. The operating
 * system's notices are only hints: they get lost under load, so every two seconds it is called without one.
 * @returns a function that ends the watch.
 */
export function watchDirectory(dir: string, look: () => void): () => void {
  let soon: NodeJS.Immediate | undefined
  const hints = hintsOf(dir, () => {
    soon ??= setImmediate(() => {
      soon = undefined
      look()
    })
  })
  const poll = setInterval(look, pollMs)
  return () => {
    clearInterval(poll)
    clearImmediate(soon)
    hints?.close()
  }
}

/** The operating system's notices, or none where it has no more of them to give: then there is the poll. */
function hintsOf(dir: string, hint: () => void): FSWatcher | undefined {
  try {
    const hints = watch(dir, hint)
    return hints.on('error', () => hints.close())
  } catch (error) {
    if (hasCode(error, 'ENOSPC', 'EMFILE', 'ENOENT')) return undefined
    throw error
  }
}
