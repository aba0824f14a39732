import path from 'node:path'
import * as z from 'zod/mini'
import { succeedsUnless, unless } from '../../errors/unless.ts'
import { CorruptDocumentError, NotPlainFileError } from '../../errors/document-errors.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { disk } from '../../platform/storage/disk.ts'
import { move, remove, removeEmpty } from '../../platform/storage/without-links.ts'
import { fingerprintSchema, type FingerprintStore } from '../../platform/git/fingerprint.ts'
import type { WatchedPlace } from './watched-places.ts'

/** Fingerprints from before a session's agent began; `confined` for a codebase mounted read-only. */
const memorySchema = z.strictObject({
  codebase: z.union([z.literal('confined'), fingerprintSchema]),
  worktree: z.optional(fingerprintSchema),
})
export type SessionMemory = z.infer<typeof memorySchema>

const format = ownFormat('fed-codebase-1', memorySchema)

/** Format of a session's record, which `src/agents/sessions/session-record.ts` writes. */
export const sessionFormat = 'fed-session-2'

/** Folder in which the session `<mission>-<number>` keeps its memory of the codebase while it runs. */
export function memoryFolder(workspace: string, session: string): string {
  return path.join(workspaceLayout(workspace).codebase, session)
}

/** Where git keeps the objects of the fingerprint of one place: a folder in the memory folder. */
export function storeOf(folder: string, { name, root }: WatchedPlace): FingerprintStore {
  return { root, folder: path.join(folder, name) }
}

/**
 * Writes the memory of a session, for whoever compares while it runs or after its launcher was killed.
 * @returns the text of the file, for `isRemembered`.
 */
export function remember(folder: string, memory: SessionMemory): string {
  const text = format.textOf(memory)
  disk.create(fileIn(folder), text)
  return text
}

/** Whether the memory file still holds exactly this text; agents can write in its folder. */
export function isRemembered(folder: string, text: string): boolean {
  return readText(folder) === text
}

/**
 * The memory of a session; undefined where there is none that fed wrote.
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

/** Removes the memory of a session. */
export function forget(folder: string): void {
  remove(folder)
  // the memory of another session may be beside it
  removeEmpty(path.dirname(folder))
}

/** Claims the memory of a session by renaming its folder to `own`; false when another process was faster. */
export function hasClaimed(folder: string, own: string): boolean {
  return succeedsUnless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => move(folder, own))
}

function fileIn(folder: string): string {
  return path.join(folder, 'before.json')
}

function readText(folder: string): string | undefined {
  // a folder, a pipe, bytes that are no text: nothing that fed wrote
  return unless([CorruptDocumentError, NotPlainFileError, 'ENOTDIR', 'EACCES'], () =>
    disk.read(fileIn(folder)),
  )
}
