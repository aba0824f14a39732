import { linkSync, statSync } from 'node:fs'
import path from 'node:path'
import { workspaceLayout } from '../protocol/layout.ts'
import { initialStatus, levelled } from '../registry/status.ts'
import { deliverAll } from '../signals/send.ts'
import { disk, hasCode, makeDirectory } from '../storage/disk.ts'
import { versionFile, versionsDirectory } from '../storage/versioned-steps.ts'
import { lifecycleDocument, type Effect, type Lifecycle } from './lifecycle.ts'
import { stanceOf } from './stance.ts'
import type { Actor } from './world.ts'

function doneMark(actor: Actor, version: number): string {
  return versionFile(workspaceLayout(actor.workspace).lifecycle, version).replace(/\.json$/, '.done')
}

/**
 * Carries out what a commit asks of the world, unless that was finished before. Whoever steps next finishes
 * what a killed process left, so every effect may run again, and run late, without harm.
 */
export function finishEffects(actor: Actor, commit: Lifecycle): void {
  const mark = doneMark(actor, commit.version)
  if (commit.effects.length === 0 || disk.exists(mark)) return
  for (const effect of commit.effects) carryOut(actor, commit, effect)
  try {
    disk.create(mark, '')
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOENT')) throw error
  }
}

function carryOut(actor: Actor, commit: Lifecycle, effect: Effect): void {
  switch (effect.kind) {
    case 'send': {
      const to = actor.world.mailboxOf(effect.signal.to)
      // a team that was removed since then reads no mail
      const from = actor.world.mailboxOf(effect.signal.from)
      if (to !== undefined && from !== undefined) deliverAll([{ signal: effect.signal, from, to }])
      return
    }
    case 'level-registry':
      levelRegistry(actor)
      return
    case 'archive-mission':
      archiveMission(actor, effect, commit.version)
      return
    default:
      effect satisfies never
  }
}

/** Makes the registry say what the lifecycle says now: levelled, not replayed, so that nobody late writes the past. */
export function levelRegistry(actor: Actor): void {
  actor.world.registry.updateEntry(actor.team, (entry) => {
    const head = lifecycleDocument(actor.workspace).read()
    if (head === undefined) return entry
    const present = entry.status ?? initialStatus()
    const status = levelled(present, stanceOf(head.content.snapshot))
    const lastActive = later(entry.lastActive, head.content.at)
    return status === entry.status && lastActive === entry.lastActive
      ? entry
      : { ...entry, status, lastActive }
  })
}

function later(a: string | undefined, b: string): string {
  return a !== undefined && Date.parse(a) > Date.parse(b) ? a : b
}

/** Puts a finished mission's versions, deliverable and sessions away; deletes nothing, and never takes a newer file. */
function archiveMission(
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

/** Sessions are named by mission: `<mission>-<number>.json`, `.log`, `.end.json`. */
function belongsTo(name: string, mission: number): boolean {
  return name.startsWith(`${mission}-`)
}

/** Moves a file that never changes, without ever taking the place of one that was moved before. */
function moveFile(from: string, to: string): void {
  try {
    disk.link(from, to)
  } catch (error) {
    // another process moved it first
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  disk.unlink(from)
}

/**
 * Moves a file whose name a newer file may take meanwhile: the archive's name is taken once, and only the
 * very file that has it is removed from the workspace.
 */
function archiveFile(file: string, archive: string): void {
  const kept = path.join(archive, path.basename(file))
  try {
    linkSync(file, kept)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    if (!hasCode(error, 'EEXIST')) throw error
  }
  const present = statSync(file, { throwIfNoEntry: false })
  if (present !== undefined && present.ino === statSync(kept).ino) disk.unlink(file)
}
