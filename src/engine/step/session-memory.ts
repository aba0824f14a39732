import { renameSync, rmdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { disk } from '../../platform/storage/disk.ts'
import { fingerprintSchema, type FingerprintStore } from '../../platform/git/fingerprint.ts'
import type { WatchedPlace } from './watched-places.ts'

/** What a session found before its agent went on; a place that was read-only for the agent is `confined`. */
const memorySchema = z.strictObject({
  codebase: z.union([z.literal('confined'), fingerprintSchema]),
  worktree: z.optional(fingerprintSchema),
})
export type SessionMemory = z.infer<typeof memorySchema>

const format = ownFormat('fed-codebase-1', memorySchema)

/** Format of a session's record, which rooms above write. */
export const sessionFormat = 'fed-session-1'

/** Folder in which the session of this name, `<mission>-<number>`, remembers the codebase while it runs. */
export function memoryFolder(workspace: string, session: string): string {
  return path.join(workspaceLayout(workspace).codebase, session)
}

/** Where git keeps what it must remember of one place. */
export function storeOf(folder: string, { name, root }: WatchedPlace): FingerprintStore {
  return { root, folder: path.join(folder, name) }
}

/**
 * Keeps it for whoever looks while the session runs, and after a launcher that was killed.
 * @returns what stands in the file, by which its writer knows it again.
 */
export function remember(folder: string, memory: SessionMemory): string {
  const text = format.textOf(memory)
  disk.create(fileIn(folder), text)
  return text
}

/** Whether it stands there as it was written. Agents can write where it is kept. */
export function isRemembered(folder: string, text: string): boolean {
  return readText(folder) === text
}

/**
 * What was found before a session; undefined where nothing is remembered, or what no fed wrote.
 * @throws {NewerFormatError}
 */
export function remembered(folder: string): SessionMemory | undefined {
  try {
    return format.decodeOrNothing(JSON.parse(readText(folder) ?? 'null'), fileIn(folder))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Leaves nothing behind of what a session remembered. */
export function forget(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  // another session's may be beside it
  unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => rmdirSync(path.dirname(folder)))
}

/** Takes what a session remembered for this process alone; false when another was faster. */
export function hasClaimed(folder: string, own: string): boolean {
  return succeedsUnless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => renameSync(folder, own))
}

function fileIn(folder: string): string {
  return path.join(folder, 'before.json')
}

function readText(folder: string): string | undefined {
  // a folder, a pipe, bytes that are no text: nothing that fed wrote
  return unless([CorruptDocumentError, 'ENOTDIR', 'ELOOP', 'EACCES'], () => disk.read(fileIn(folder)))
}
