import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { FedError, InterruptedError } from '../../errors/fed-error.ts'
import { Folder, pathOf } from './open-folder.ts'

/** After so many files others get their turn: a large folder takes seconds. */
const filesAtOnce = 200

/** Shares the blocks where the file system can, and never the file: a change of one is none of the other. */
const asCopy = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/**
 * Copies a file, a folder with all that it holds, or a link as the link that it is: none is followed, also where
 * somebody puts one there meanwhile. Modes and times are kept.
 * @param to must not be there.
 * @throws {FedError} for what cannot be copied, such as a pipe; {InterruptedError}; the file system's error.
 */
export async function copyTree(from: string, to: string, signal?: AbortSignal): Promise<void> {
  let files = 0
  const copy = async (source: string, target: string): Promise<void> => {
    const stat = lstatSync(source)
    if (stat.isSymbolicLink()) return symlinkSync(readlinkSync(source), target)
    if (stat.isFile()) {
      copyPlain(source, target)
      utimesSync(target, stat.atime, stat.mtime)
      files += 1
      if (files % filesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
      if (signal?.aborted) throw new InterruptedError(`interrupted while ${from} was copied`)
      return
    }
    if (!stat.isDirectory())
      throw new FedError(`${source} is neither a file, a folder nor a link: it cannot be kept`)
    mkdirSync(target, { mode: 0o700 })
    const folders = [Folder.open(source), Folder.open(target)] as const
    try {
      const [here, there] = folders
      for (const name of here.list()) await copy(here.at(name), there.at(name))
      fchmodSync(there.descriptor, stat.mode & 0o7777)
      futimesSync(there.descriptor, stat.atime, stat.mtime)
    } finally {
      for (const folder of folders) folder.close()
    }
  }
  await copy(from, to)
}

function copyPlain(source: string, target: string): void {
  const descriptor = openSync(source, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    copyFileSync(pathOf(source, descriptor), target, asCopy)
  } finally {
    closeSync(descriptor)
  }
}
