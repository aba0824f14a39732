import path from 'node:path'
import { succeedsUnless } from '../../errors/unless.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { Staging } from '../../records/signals/staging.ts'
import { disk, makeDirectory } from '../../platform/storage/disk.ts'
import { versionsDirectory } from '../../platform/storage/versioned-steps.ts'
import type { Effect } from '../decide/lifecycle.ts'
import type { Actor } from './world.ts'

/** Puts a finished mission's versions, deliverable and sessions away; never deletes or takes a newer file. */
export function archiveMission(
  actor: Actor,
  { mission, hasDeliverable }: Extract<Effect, { kind: 'archive-mission' }>,
  resetVersion: number,
): void {
  const layout = workspaceLayout(actor.workspace)
  const archive = path.join(layout.missions, String(mission))
  makeDirectory(archive)
  if (hasDeliverable) archiveFile(path.join(actor.workspace, actor.world.config.deliverable), archive)
  const sessions = disk.list(layout.sessions)
  if (sessions.length > 0) {
    const kept = path.join(archive, 'sessions')
    makeDirectory(kept)
    for (const name of sessions.filter((one) => belongsTo(one, mission)))
      moveFile(path.join(layout.sessions, name), path.join(kept, name))
  }
  // ascending, so that what is left has no gap and a reader always climbs to the head
  const versions = disk
    .list(versionsDirectory(layout.lifecycle))
    .flatMap((name) => (/^\d+\.(json|done)$/.test(name) ? [name] : []))
    .filter((name) => Number.parseInt(name, 10) < resetVersion)
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10) || (a < b ? -1 : 1))
  for (const name of versions)
    moveFile(path.join(versionsDirectory(layout.lifecycle), name), path.join(archive, name))
}

/** Whether a session's file is of this mission: `2-1.json`, `2-1.left`, `2-begun-….json` are of the second. */
function belongsTo(name: string, mission: number): boolean {
  return name.startsWith(`${mission}-`)
}

/** Moves a file that never changes, without ever taking the place of one that was moved before. */
function moveFile(from: string, to: string): void {
  // another process may move it first
  if (succeedsUnless('ENOENT', () => disk.link(from, to))) disk.unlink(from)
}

/**
 * Moves a file whose name a newer file may take meanwhile: the archive's name is taken once, and only the
 * very file that has it is removed from the workspace.
 */
function archiveFile(file: string, archive: string): void {
  const kept = path.join(archive, path.basename(file))
  if (!succeedsUnless('ENOENT', () => disk.link(file, kept))) return
  for (const left of Staging.abandoned(archive, 'leaving')) {
    for (const name of left.files()) left.settle(name, [kept], [file])
    left.close()
  }
  const staging = Staging.open(archive, 'leaving')
  // a newer document may have its name by now, and keeps it
  staging.take(file, kept)
  staging.close()
}
