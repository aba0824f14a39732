import { readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { printable } from '../../errors/printable.ts'
import { disk, makeDirectory } from '../../platform/storage/disk.ts'
import { below, inFolder } from '../../platform/storage/without-links.ts'
import { hasCode } from '../../platform/storage/system-error.ts'
import { longestName } from './signal-file.ts'

/** A file that could not be read as a signal. */
export interface Quarantined {
  readonly file: string
  readonly reason: string
}

/** Where nothing can be moved, a bad file stays where it is: it must not keep anybody from the good ones. */
const immovable = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT', 'EXDEV', 'EBUSY'] as const

/**
 * Moves a file out of an inbox, with its reason beside it; nothing is lost, and the rest flows. On a disk that
 * is full or may not be written the file stays, and is tried again by the next reader.
 */
export function setAside(inbox: string, quarantine: string, file: string, reason: string): void {
  try {
    makeDirectory(quarantine)
    const mark = uuid().slice(0, 8)
    // the name may hold anything, and somebody will list the quarantine at a terminal
    const name = `${mark}-${printable(file)}`
    const aside = path.join(quarantine, Buffer.byteLength(`${name}.reason`) <= longestName ? name : mark)
    // the reason first: a reader that dies between the two leaves no file whose fault nobody knows
    disk.create(`${aside}.reason`, `${printable(file)}: ${reason}\n`)
    try {
      inFolder(inbox, (from) => below(aside, (to) => renameSync(nameOnDisk(from, file), to)))
    } catch (error) {
      disk.unlink(`${aside}.reason`)
      throw error
    }
  } catch (error) {
    // another reader set it aside first
    if (hasCode(error, 'ENOENT', ...immovable)) return
    throw error
  }
}

/** A name that is no UTF-8 reaches us with U+FFFD for its bytes: the file is found by listing bytes. `inbox` is held. */
function nameOnDisk(inbox: string, file: string): string | Buffer {
  if (!file.includes('\uFFFD')) return path.join(inbox, file)
  const name = readdirSync(inbox, { encoding: 'buffer' }).find((bytes) => bytes.toString('utf8') === file)
  return name === undefined
    ? path.join(inbox, file)
    : Buffer.concat([Buffer.from(`${inbox}${path.sep}`), name])
}

/** What was set aside, with the reasons. */
export function listQuarantined(quarantine: string): Quarantined[] {
  return disk
    .list(quarantine)
    .filter((name) => !name.endsWith('.reason'))
    .toSorted()
    .map((file) => ({
      file,
      reason: disk.read(path.join(quarantine, `${file}.reason`))?.trim() ?? 'unknown',
    }))
}
