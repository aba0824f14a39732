import { realpathSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import * as z from 'zod/mini'
import { federationLayout } from '../protocol/folder-layout.ts'
import { ownFormat } from '../protocol/own-format.ts'
import { createOnce, disk, replaceFile } from '../platform/storage/disk.ts'
import { readSmallDocument } from './small-document.ts'

/** Content of `.fed/federation.json`: which federation this is, and where it lies. */
const recordSchema = z.strictObject({
  /** Made when it is set up; a copy bears the same. */
  id: z.uuid(),
  /** Absolute path of its root, links followed. */
  root: z.string().check(z.refine((root) => path.isAbsolute(root), 'is not an absolute path')),
})
export type FederationRecord = z.infer<typeof recordSchema>

const format = ownFormat('fed-federation-1', recordSchema)

/**
 * What a federation says of itself; undefined where none says anything.
 * @throws {CorruptDocumentError | NewerFormatError}; the file system's error where nobody may look.
 */
export function readRecord(root: string): FederationRecord | undefined {
  return readSmallDocument(federationLayout(root).record, format, { followLinks: false })
}

/** Notes where a federation is set up, unless that was noted before. */
export function noteRecord(root: string): void {
  createOnce(federationLayout(root).record, format.textOf({ id: uuid(), root: realpathSync(root) }))
}

/** The same in place of what was noted before, whole at once; a federation that moved keeps its id. */
export function replaceRecord(root: string, id: string = uuid()): void {
  const { fed, record } = federationLayout(root)
  replaceFile(record, format.textOf({ id, root: realpathSync(root) }))
  disk.syncDirectory(fed)
}
