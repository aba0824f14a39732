import path from 'node:path'
import { fileNamesOf } from '../../protocol/event-name.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { disk } from '../../platform/storage/disk.ts'
import { decodeSignal } from './decode.ts'
import type { FiledSignal } from './mailbox.ts'
import { isSignalName } from './signal-file.ts'

const monthName = /^\d{4}-(?:0[1-9]|1[0-2])$/

/** Whether a text names a month, such as `2026-11`. */
export function isMonth(text: string): boolean {
  return monthName.test(text)
}

/** Where a workspace's old mail is put away, in a folder for each month. */
export function archiveFolder(workspace: string): string {
  return path.join(path.dirname(workspaceLayout(workspace).inbox), 'archive')
}

/** The month (UTC) of a signal's timestamp; undefined beyond the years that have four digits. */
export function monthOf({ timestamp }: Pick<SignalMessage, 'timestamp'>): string | undefined {
  const month = new Date(timestamp).toISOString().slice(0, 7)
  return isMonth(month) ? month : undefined
}

/**
 * The file of a signal that was archived, or undefined. What is on its way into the archive is found before it
 * leaves the inbox, and what comes back is in the inbox before it leaves the archive: a signal that is in
 * neither was never delivered here.
 */
export function archivedFile(workspace: string, signal: SignalMessage): string | undefined {
  const dir = monthFolder(workspace, signal)
  if (dir === undefined) return undefined
  return fileNamesOf(signal)
    .map((name) => path.join(dir, name))
    .find((file) => disk.exists(file) && decodeSignal(disk.read(file) ?? '').signal?.id === signal.id)
}

/** Where a signal of that time would be archived; undefined where nothing of that month is. */
export function monthFolder(workspace: string, signal: Pick<SignalMessage, 'timestamp'>): string | undefined {
  const month = monthOf(signal)
  const dir = month === undefined ? undefined : path.join(archiveFolder(workspace), month)
  // every signal that is sent asks
  return dir !== undefined && disk.exists(dir) ? dir : undefined
}

/** Signals of a workspace's archive of the month of a time, ISO 8601, and of those after it. */
export function archivedSignals(workspace: string, since: string): FiledSignal[] {
  const first = monthOf({ timestamp: since })
  if (first === undefined || !disk.exists(archiveFolder(workspace))) return []
  return archivedMonths(workspace)
    .filter(({ month }) => month >= first)
    .flatMap(({ folder }) =>
      disk
        .list(folder)
        .filter(isSignalName)
        .flatMap((file) => {
          const { signal } = decodeSignal(disk.read(path.join(folder, file)) ?? '')
          return signal === undefined ? [] : [{ ...signal, file }]
        }),
    )
}

/** What one month of an archive holds. */
export interface ArchivedMonth {
  readonly month: string
  readonly signals: number
  /** Absolute path. */
  readonly folder: string
}

/** Months of a workspace's archive that hold signals, oldest first. */
export function archivedMonths(workspace: string): ArchivedMonth[] {
  const archive = archiveFolder(workspace)
  return disk
    .list(archive)
    .filter(isMonth)
    .toSorted()
    .map((month) => {
      const folder = path.join(archive, month)
      return { month, signals: disk.list(folder).filter(isSignalName).length, folder }
    })
    .filter(({ signals }) => signals > 0)
}
