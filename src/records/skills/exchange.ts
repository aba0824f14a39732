import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { identify } from '../../platform/process/process-identity.ts'
import { disk, WRITABLE } from '../../platform/storage/disk.ts'
import { temporaryIn } from '../../platform/storage/temporary.ts'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { read } from './skill-state.ts'

/** A file that was taken away to be replaced: `.<name>.<process>.<id>.taken`. */
const takenName = /^\.(.+)\.(\d+)\.[0-9a-f-]{36}\.taken$/

/**
 * Gives a file another text, or removes it, if it still says what is expected. A rename over it would take what
 * somebody writes between the look and the rename; so the file is taken away first, looked at, and put back if
 * it says anything else. For that moment its name is free; a kill then leaves what `recover` puts back. Whoever
 * has it open may write on, so that it is not removed: it stays aside as the earlier text.
 * @param text without it the file is removed.
 * @param aside folder of nobody else, on the same file system.
 * @returns false when it says something else, or somebody is just writing it.
 */
export function exchange(file: string, expected: string, text: string | undefined, aside: string): boolean {
  const fresh = temporaryIn(aside)
  if (text !== undefined) disk.create(fresh, text, { mode: WRITABLE })
  const taken = path.join(aside, `.${path.basename(file)}.${process.pid}.${uuid()}.taken`)
  try {
    if (!succeedsUnless('ENOENT', () => disk.rename(file, taken))) return false
    if (read(taken).text === expected && (text === undefined || disk.link(fresh, file))) {
      unless('ENOENT', () => disk.rename(taken, earlierFile(path.join(aside, path.basename(file)), expected)))
      disk.syncDirectory(path.dirname(file))
      return true
    }
    putBack(taken, file, aside, [expected])
    return false
  } finally {
    disk.unlink(fresh)
  }
}

/** Where an earlier text stays beside the one that took its place; the name tells whether it was changed since. */
export function earlierFile(file: string, text: string): string {
  return `${file}.earlier-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
}

/**
 * Puts back what an exchange took away and did not come to replace: its process was killed, or is stopped. An
 * earlier text to which somebody added after it was taken away gets a name beside the file.
 * @param known texts that need not be kept, because they are elsewhere.
 */
export function recover(file: string, aside: string, known: readonly (string | undefined)[]): void {
  const own = path.basename(file)
  for (const name of disk.list(aside)) {
    const place = path.join(aside, name)
    if (name.startsWith(`${own}.earlier-`)) {
      const { text } = read(place)
      if (text === undefined || earlierFile(path.join(aside, own), text) !== place) keepBeside(place, file)
      continue
    }
    const [, owner, pid] = takenName.exec(name) ?? []
    if (owner !== own) continue
    // its process is about to remove it
    if (disk.exists(file) && identify(Number(pid)) !== undefined) continue
    putBack(place, file, aside, known)
  }
}

/** A text that nobody else has is kept beside a file that has its name by now. */
function putBack(taken: string, file: string, aside: string, known: readonly (string | undefined)[]): void {
  const { text } = read(taken)
  unless('ENOENT', () => {
    // with a second name it was put back already
    if (disk.link(taken, file) || lstatSync(taken).nlink > 1) disk.unlink(taken)
    else if (text !== undefined && (text === read(file).text || known.includes(text)))
      disk.rename(taken, earlierFile(path.join(aside, path.basename(file)), text))
    else keepBeside(taken, file)
  })
}

function keepBeside(there: string, file: string): void {
  unless('ENOENT', () => disk.rename(there, `${file}.kept-${uuid().slice(0, 8)}`))
}
