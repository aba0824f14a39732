import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { identify } from '../../platform/process/process-identity.ts'
import { disk, temporaryIn, WRITABLE } from '../../platform/storage/disk.ts'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { read } from './skill-state.ts'

/** A file that was taken away to be replaced: `.<name>.<process>.<id>.taken`. */
const takenName = /^\.(.+)\.(\d+)\.[0-9a-f-]{36}\.taken$/

/**
 * Gives a file another text, if it still says what is expected. A rename over it would take what somebody
 * writes between the look and the rename; so the file is taken away first, looked at, and put back if it says
 * anything else. For that moment its name is free; a kill then leaves what `recover` puts back.
 * @param aside folder of nobody else, on the same file system.
 * @returns false when it says something else, or somebody is just writing it.
 */
export function exchange(file: string, expected: string, text: string, aside: string): boolean {
  const fresh = temporaryIn(aside)
  disk.create(fresh, text, { mode: WRITABLE })
  const taken = path.join(aside, `.${path.basename(file)}.${process.pid}.${uuid()}.taken`)
  try {
    if (!succeedsUnless('ENOENT', () => disk.rename(file, taken))) return false
    if (read(taken).text === expected && disk.link(fresh, file)) {
      disk.unlink(taken)
      disk.syncDirectory(path.dirname(file))
      return true
    }
    putBack(taken, file, [expected])
    return false
  } finally {
    disk.unlink(fresh)
  }
}

/**
 * Puts back what an exchange took away and did not come to replace: its process was killed, or is stopped.
 * @param known texts that need not be kept, because they are elsewhere.
 */
export function recover(file: string, aside: string, known: readonly (string | undefined)[]): void {
  for (const name of disk.list(aside)) {
    const [, owner, pid] = takenName.exec(name) ?? []
    if (owner !== path.basename(file)) continue
    // its process is about to remove it
    if (disk.exists(file) && identify(Number(pid)) !== undefined) continue
    putBack(path.join(aside, name), file, known)
  }
}

/** A text that nobody else has is kept beside a file that has its name by now. */
function putBack(taken: string, file: string, known: readonly (string | undefined)[]): void {
  const { text, fault } = read(taken)
  const isKnown = fault === undefined && (text === read(file).text || known.includes(text))
  unless('ENOENT', () => {
    if (!disk.link(taken, file) && !isKnown) disk.link(taken, `${file}.kept-${uuid().slice(0, 8)}`)
    disk.unlink(taken)
  })
}
