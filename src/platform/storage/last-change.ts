import { statSync, type Stats } from 'node:fs'

/** What changed this recently may change again within the grain of the file system's clock, in milliseconds. */
const grainMs = 50
/** The same where the file system knows only seconds, or where it looks as if. */
const coarseGrainMs = 2000

/**
 * Tells whether a file, or the names in a folder, may have changed since it was asked last. It errs only towards yes:
 * right after a change, at the first two times, and where there is nothing. It compares no file's time with a
 * clock, so that it does not matter which clock a file system goes by, nor how long a busy machine stops it.
 */
export class LastChange {
  readonly #file: string
  /** The file's mark when it was last seen to be another, and when that was, on a clock that is never set. */
  #seen: { readonly mark: string; readonly atMs: number } | undefined
  #settled: string | undefined

  constructor(file: string) {
    this.#file = file
  }

  /** Ask it before the file is read or the folder listed: what changes meanwhile is seen the next time. */
  happened(): boolean {
    const beginMs = performance.now()
    const stat = statSync(this.#file, { throwIfNoEntry: false })
    const mark = stat && markOf(stat)
    if (stat !== undefined && mark === this.#settled) return false
    this.#settled = undefined
    if (stat === undefined || mark === undefined) this.#seen = undefined
    else if (this.#seen?.mark !== mark) this.#seen = { mark, atMs: performance.now() }
    else {
      const grain = stat.mtimeMs % 1000 === 0 ? coarseGrainMs : grainMs
      // whatever changes from now on has another time
      if (beginMs - this.#seen.atMs > grain) this.#settled = mark
    }
    return true
  }
}

/** Which file it is, and its times: a program may set the one, and not the other. */
function markOf({ ino, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${mtimeMs} ${ctimeMs}`
}
