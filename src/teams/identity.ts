import path from 'node:path'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../errors.ts'
import { workspaceLayout } from '../protocol/layout.ts'
import { teamIdSchema } from '../protocol/team-id.ts'
import { disk } from '../storage/disk.ts'

/** Content of a workspace's `.fed/team.json`: who this is, and where its federation is. */
const identitySchema = z.strictObject({
  team: teamIdSchema,
  archetype: z.string().check(z.minLength(1)),
  /** Absolute path of the federation's root. */
  root: z.string().check(z.refine((root) => path.isAbsolute(root), 'is not an absolute path')),
})
export type Identity = z.infer<typeof identitySchema>

/**
 * Who a workspace belongs to, or undefined where there is none.
 * @throws {CorruptDocumentError} when the file is damaged.
 */
export function readIdentity(workspace: string): Identity | undefined {
  const file = workspaceLayout(workspace).identity
  const text = disk.read(file)
  if (text === undefined) return undefined
  try {
    return identitySchema.parse(JSON.parse(text))
  } catch (error) {
    throw new CorruptDocumentError(file, (error as Error).message)
  }
}
