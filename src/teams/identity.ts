import path from 'node:path'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../errors/document-errors.ts'
import { workspaceLayout } from '../protocol/layout.ts'
import { describeProblems } from '../protocol/problems.ts'
import { parseStrictJson } from '../protocol/strict-json.ts'
import { teamIdSchema } from '../protocol/team-id.ts'
import { readBelow } from '../storage/outside-file.ts'

/** Content of a workspace's `.fed/team.json`: who this is, and where its federation is. */
const identitySchema = z.strictObject({
  team: teamIdSchema,
  archetype: z.string().check(z.minLength(1)),
  /** Absolute path of the federation's root. */
  root: z.string().check(z.refine((root) => path.isAbsolute(root), 'is not an absolute path')),
})
export type Identity = z.infer<typeof identitySchema>

/** It is three short fields; what is larger is something else. */
const largestBytes = 65_536

/**
 * Who a workspace belongs to, or undefined where there is none.
 * @throws {CorruptDocumentError} naming every field that is wrong.
 */
export function readIdentity(workspace: string): Identity | undefined {
  const file = workspaceLayout(workspace).identity
  const outside = readBelow(file, { largestBytes, followLinks: true })
  if (outside.kind === 'missing') return undefined
  if (outside.kind === 'fault') throw new CorruptDocumentError(file, outside.fault)
  let json: unknown
  try {
    json = parseStrictJson(outside.text)
  } catch (error) {
    throw new CorruptDocumentError(file, (error as Error).message)
  }
  const parsed = identitySchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new CorruptDocumentError(file, describeProblems(parsed.error, '; '))
}
