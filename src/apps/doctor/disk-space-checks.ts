import { existsSync, statfsSync } from 'node:fs'
import { federationLayout } from '../../protocol/folder-layout.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'

const mebibyte = 1_048_576
/** Below this, commits and signals begin to fail at any moment, in bytes. */
const leastBytes = mebibyte
/** Below this it is time to make room: a session's log and a deliverable may take as much. */
const lowBytes = 64 * mebibyte

/** What a file system says of itself; the part of `fs.statfs` that matters here. */
export interface Room {
  readonly bsize: number
  readonly bavail: number
  /** Names that it can still give; some file systems do not count them, and say 0 of 0. */
  readonly files: number
  readonly ffree: number
}

/** Whether there is room on the disk for signals and commits. */
export function spaceFindings(root: string, look: (dir: string) => Room = statfsSync): Found[] {
  const { fed } = federationLayout(root)
  const dir = existsSync(fed) ? fed : root
  const { bsize, bavail, files, ffree } = look(dir)
  const free = bsize * bavail
  const fix = 'make room on that disk; nothing that was committed is lost'
  const found = (severity: Found['severity'], message: string): Found[] => [
    { severity, where: dir, message, fix },
  ]
  if (free < leastBytes) return found('error', 'the disk is full: nothing can be sent or committed')
  if (files > 0 && ffree === 0) return found('error', 'the disk has no room for another file')
  if (free < lowBytes) return found('warning', `only ${Math.floor(free / mebibyte)} MiB are free on the disk`)
  return [{ severity: 'ok', message: `${inUnits(free)} are free on the disk` }]
}

function inUnits(bytes: number): string {
  const gibibytes = bytes / (1024 * mebibyte)
  return gibibytes >= 1 ? `${Math.floor(gibibytes)} GiB` : `${Math.floor(bytes / mebibyte)} MiB`
}
