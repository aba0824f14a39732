import { statSync } from 'node:fs'

/** What changed this recently may change again within the grain of the file system's clock, in milliseconds. */
const grainMs = 50
/** The same where the file system knows only seconds, or where it looks as if. */
const coarseGrainMs = 2000

/**
 * Tells whether a file, or the names in a folder, may have changed since it was asked last. It errs only
 * towards yes: right after a change, when the clock was set back, and where there is nothing.
 */
export class LastChange {
  readonly #file: string
  #settledAt: number | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** Ask it before the file is read or the folder listed: what changes meanwhile is seen the next time. */
  happened(): boolean {
    const changedAt = statSync(this.#file, { throwIfNoEntry: false })?.mtimeMs
    if (changedAt !== undefined && changedAt === this.#settledAt) return false
    const grain = changedAt !== undefined && changedAt % 1000 === 0 ? coarseGrainMs : grainMs
    const isSettled = changedAt !== undefined && Date.now() - changedAt > grain
    this.#settledAt = isSettled ? changedAt : undefined
    return true
  }
}
