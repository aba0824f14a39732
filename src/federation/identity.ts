import path from 'node:path'
import * as z from 'zod/mini'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import { ownFormat } from '../protocol/own-format.ts'
import { teamIdSchema } from '../protocol/team-id.ts'
import { readSmallDocument } from './small-document.ts'

/** Content of a workspace's `.fed/team.json`: who this is, and where its federation is. */
const identitySchema = z.strictObject({
  team: teamIdSchema,
  archetype: z.string().check(z.minLength(1)),
  /** Absolute path of the federation's root. */
  root: z.string().check(z.refine((root) => path.isAbsolute(root), 'is not an absolute path')),
})
export type Identity = z.infer<typeof identitySchema>

const format = ownFormat('fed-team-1', identitySchema)

/** The text of the file. */
export const identityText = format.textOf

/**
 * Who a workspace belongs to, or undefined where there is none.
 * @throws {CorruptDocumentError} naming every field that is wrong; {NewerFormatError}
 */
export function readIdentity(workspace: string): Identity | undefined {
  return readSmallDocument(workspaceLayout(workspace).identity, format, { followLinks: false })
}
