import { LastChange } from '../../platform/storage/last-change.ts'
import { disk } from '../../platform/storage/disk.ts'
import { isSignalName } from './signal-file.ts'

/**
 * The signal files of an inbox that have no acknowledgment. The folder is listed only when it changed, so that
 * looking into an inbox of any size costs next to nothing while nothing happens.
 */
export class WaitingFiles {
  readonly #inbox: string
  readonly #change: LastChange
  #files: readonly string[] = []

  constructor(inbox: string) {
    this.#inbox = inbox
    this.#change = new LastChange(inbox)
  }

  /** Names in ascending order. */
  look(): readonly string[] {
    if (this.#change.happened()) this.#files = withoutAcknowledgment(disk.list(this.#inbox))
    return this.#files
  }
}

/**
 * The signal files among the names of an inbox that have no acknowledgment, ascending. In order, a signal's
 * acknowledgment follows it at once, or after other names that begin like the signal's.
 */
export function withoutAcknowledgment(names: string[]): string[] {
  // the operating system's order is nearly this one
  names.sort()
  return names.filter((name, index) => {
    if (!isSignalName(name)) return false
    const acknowledgment = `${name}.ack`
    for (let next = index + 1; ; next += 1) {
      if (names[next] === acknowledgment) return false
      if (names[next]?.startsWith(name) !== true) return true
    }
  })
}
