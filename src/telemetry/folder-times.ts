import { statSync } from 'node:fs'
import { presentMs } from '../protocol/clock.ts'

/** What changed this recently may change again within the grain of the file system's clock, in milliseconds. */
const grainMs = 50
/** The same where the file system knows only seconds, or where it looks as if. */
const coarseGrainMs = 2000

/**
 * Whether the names in a folder may have changed since a time that was kept of it, in whatever process, and the
 * time to keep; that is undefined too soon after a change to tell another one.
 */
export function changeOf(
  dir: string,
  kept: number | undefined,
): { readonly isNew: boolean; readonly changed: number | undefined } {
  // before the look: however long that takes, what changes behind it is later
  const begin = presentMs()
  const stat = statSync(dir, { throwIfNoEntry: false })
  // a workspace that is away for a while has lost nothing
  if (stat === undefined) return { isNew: false, changed: kept }
  const { mtimeMs } = stat
  if (mtimeMs === kept) return { isNew: false, changed: kept }
  const isSettled = begin - mtimeMs > (mtimeMs % 1000 === 0 ? coarseGrainMs : grainMs)
  return { isNew: true, changed: isSettled ? mtimeMs : undefined }
}
