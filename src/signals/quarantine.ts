import { renameSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import { disk, hasCode, makeDirectory } from '../storage/disk.ts'
import { longestName } from './signal-file.ts'

/** A file that could not be read as a signal. */
export interface Quarantined {
  readonly file: string
  readonly reason: string
}

/** Moves a file out of an inbox, with its reason beside it; nothing is lost, and the rest flows. */
export function setAside(inbox: string, quarantine: string, file: string, reason: string): void {
  makeDirectory(quarantine)
  const mark = uuid().slice(0, 8)
  const name = `${mark}-${file}`
  const aside = path.join(quarantine, Buffer.byteLength(`${name}.reason`) <= longestName ? name : mark)
  try {
    renameSync(path.join(inbox, file), aside)
  } catch (error) {
    // another reader set it aside first
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  disk.create(`${aside}.reason`, `${file}: ${reason}\n`)
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
