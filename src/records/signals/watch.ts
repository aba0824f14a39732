import { watch, type FSWatcher } from 'node:fs'
import { unless } from '../../errors/unless.ts'

/** How often an inbox is looked at although no hint came, in milliseconds. */
const pollMs = 2000

/**
 * Calls `look` soon after names appear in or leave a folder, once for all that came together, and gives it the
 * names that it heard of. The operating system's notices are only hints: they get lost under load, so every two
 * seconds, and where a notice bears no name, it is called without names.
 * @returns a function that ends the watch.
 */
export function watchDirectory(dir: string, look: (names?: ReadonlySet<string>) => void): () => void {
  let names: Set<string> | undefined = new Set()
  let soon: NodeJS.Immediate | undefined
  const hints = directoryHints(dir, (name) => {
    if (name === null) names = undefined
    else names?.add(name)
    soon ??= setImmediate(() => {
      const heardOf = names
      soon = undefined
      names = new Set()
      look(heardOf)
    })
  })
  const poll = setInterval(look, pollMs)
  return () => {
    clearInterval(poll)
    clearImmediate(soon)
    hints?.close()
  }
}

/**
 * The operating system's notices of names that appear in or leave a folder, null where a notice bears none;
 * undefined where it has no more of them to give. They get lost under load: somebody must look now and then.
 */
export function directoryHints(dir: string, hint: (name: string | null) => void): FSWatcher | undefined {
  return unless(['ENOSPC', 'EMFILE', 'ENOENT'], () => {
    const hints = watch(dir, (_event, name) => hint(name))
    return hints.on('error', () => hints.close())
  })
}
