import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import path from 'node:path'
import { FedError, InterruptedError } from '../../errors/fed-error.ts'

/** After so many files others get their turn: a large folder takes seconds. */
const filesAtOnce = 200

/** Shares the blocks where the file system can, and never the file: a change of one is none of the other. */
const asCopy = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL

/**
 * Copies a file, a folder with all that it holds, or a link as the link that it is. Modes and times are kept.
 * @param to must not be there.
 * @throws {FedError} for what cannot be copied, such as a pipe; {InterruptedError}; the file system's error.
 */
export async function copyTree(from: string, to: string, signal?: AbortSignal): Promise<void> {
  let files = 0
  const copy = async (source: string, target: string): Promise<void> => {
    const stat = lstatSync(source)
    if (stat.isSymbolicLink()) return symlinkSync(readlinkSync(source), target)
    if (stat.isFile()) {
      copyFileSync(source, target, asCopy)
      utimesSync(target, stat.atime, stat.mtime)
      files += 1
      if (files % filesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
      if (signal?.aborted) throw new InterruptedError(`interrupted while ${from} was copied`)
      return
    }
    if (!stat.isDirectory())
      throw new FedError(`${source} is neither a file, a folder nor a link: it cannot be kept`)
    mkdirSync(target, { mode: 0o700 })
    for (const name of readdirSync(source)) await copy(path.join(source, name), path.join(target, name))
    chmodSync(target, stat.mode & 0o7777)
    utimesSync(target, stat.atime, stat.mtime)
  }
  await copy(from, to)
}
