import { readdirSync, readFileSync } from 'node:fs'

/** Whether a process that is seen from here has this word on its command line. */
export function isOnACommandLine(word: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word)
      } catch {
        // it is gone, or nobody may look
        return false
      }
    })
}
