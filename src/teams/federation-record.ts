import { realpathSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../errors/document-errors.ts'
import { federationLayout } from '../protocol/layout.ts'
import { describeProblems } from '../protocol/problems.ts'
import { parseStrictJson } from '../protocol/strict-json.ts'
import { createOnce, disk, temporaryIn } from '../storage/disk.ts'
import { readBelow } from '../storage/outside-file.ts'

/** Content of `.fed/federation.json`: which federation this is, and where it lies. */
const recordSchema = z.strictObject({
  /** Made when it is set up; a copy bears the same. */
  id: z.uuid(),
  /** Absolute path of its root, links followed. */
  root: z.string().check(z.refine((root) => path.isAbsolute(root), 'is not an absolute path')),
})
export type FederationRecord = z.infer<typeof recordSchema>

/** It is two short fields; what is larger is something else. */
const largestBytes = 65_536

/**
 * What a federation says of itself; undefined where none says anything.
 * @throws {CorruptDocumentError}; the file system's error where nobody may look.
 */
export function readRecord(root: string): FederationRecord | undefined {
  const file = federationLayout(root).record
  const outside = readBelow(file, { largestBytes, followLinks: false })
  if (outside.kind === 'missing') return undefined
  if (outside.kind === 'fault') {
    if (outside.cause !== undefined && outside.fault.startsWith('no permission')) throw outside.cause
    throw new CorruptDocumentError(file, `it is ${outside.fault}`)
  }
  let json: unknown
  try {
    json = parseStrictJson(outside.text)
  } catch (error) {
    throw new CorruptDocumentError(file, (error as Error).message)
  }
  const parsed = recordSchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new CorruptDocumentError(file, describeProblems(parsed.error, '; '))
}

/** Notes where a federation is set up, unless that was noted before. */
export function noteRecord(root: string): void {
  createOnce(federationLayout(root).record, textOf({ id: uuid(), root: realpathSync(root) }))
}

/** The same in place of what was noted before, whole at once; a federation that moved keeps its id. */
export function replaceRecord(root: string, id: string = uuid()): void {
  const { fed, record } = federationLayout(root)
  const temporary = temporaryIn(fed)
  disk.create(temporary, textOf({ id, root: realpathSync(root) }))
  disk.rename(temporary, record)
  disk.syncDirectory(fed)
}

function textOf(record: FederationRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`
}
