import { statSync, watch } from 'node:fs'

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
  const changedAt = () => statSync(dir).mtimeMs
  let seen = changedAt()
  const hints = watch(dir, () => look())
  hints.on('error', () => hints.close())
  const poll = setInterval(() => {
    const changed = changedAt()
    if (changed === seen && Date.now() - changed > grainMs) return
    seen = changed
    look()
  }, pollMs)
  return () => {
    clearInterval(poll)
    hints.close()
  }
}
