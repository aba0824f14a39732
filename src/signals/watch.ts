import { statSync, watch, type FSWatcher } from 'node:fs'
import { hasCode } from '../storage/disk.ts'

/** How often an inbox is looked at although no hint came, in milliseconds. */
const pollMs = 2000
/** A folder changed this recently may change again within the clock's grain: look once more. */
const grainMs = 50

/**
 * Calls `look` soon after names appear in or leave a folder. The operating system's notices are only hints:
 * they get lost under load, so the folder's time is looked at every two seconds as well.
 * @returns a function that ends the watch.
 */
export function watchDirectory(dir: string, look: () => void): () => void {
  const changedAt = () => statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0
  let seen = changedAt()
  const hints = hintsOf(dir, look)
  const poll = setInterval(() => {
    const changed = changedAt()
    if (changed === seen && Date.now() - changed > grainMs) return
    seen = changed
    look()
  }, pollMs)
  return () => {
    clearInterval(poll)
    hints?.close()
  }
}

/** The operating system's notices, or none where it has no more of them to give: then there is the poll. */
function hintsOf(dir: string, look: () => void): FSWatcher | undefined {
  try {
    const hints = watch(dir, () => look())
    return hints.on('error', () => hints.close())
  } catch (error) {
    if (hasCode(error, 'ENOSPC', 'EMFILE', 'ENOENT')) return undefined
    throw error
  }
}
