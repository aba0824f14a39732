import path from 'node:path'
import { v4 as uuid } from 'uuid'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../errors.ts'
import { federationLayout } from '../protocol/layout.ts'
import { describeProblems } from '../protocol/problems.ts'
import { registryEntrySchema } from '../protocol/registry.ts'
import { parseStrictJson } from '../protocol/strict-json.ts'
import { timestampSchema } from '../protocol/time.ts'
import { disk, makeDirectory } from '../storage/disk.ts'

const offboardingSchema = z.strictObject({ at: timestampSchema, entry: registryEntrySchema })

/** That a team was taken out of the federation, and its entry as it was: `.fed/archive/<domain>.json`. */
export type Offboarding = z.infer<typeof offboardingSchema>

/** Where the workspace of a team goes that is offboarded, without the code. */
export function archiveOf(root: string, domain: string): string {
  return path.join(federationLayout(root).archive, domain)
}

function recordOf(root: string, domain: string): string {
  return `${archiveOf(root, domain)}.json`
}

/** Whether a team of this name was offboarded, or began to be. */
export function isOffboarded(root: string, domain: string): boolean {
  return disk.exists(recordOf(root, domain))
}

/**
 * What was noted when a team was offboarded, or began to be; undefined for any other name.
 * @throws {CorruptDocumentError}
 */
export function readOffboarding(root: string, domain: string): Offboarding | undefined {
  const file = recordOf(root, domain)
  const text = disk.read(file)
  if (text === undefined) return undefined
  let json: unknown
  try {
    json = parseStrictJson(text)
  } catch (error) {
    throw new CorruptDocumentError(file, (error as Error).message)
  }
  const parsed = offboardingSchema.safeParse(json)
  if (parsed.success) return parsed.data
  throw new CorruptDocumentError(file, describeProblems(parsed.error, '; '))
}

/** Notes it before anything is taken apart, in place of an offboarding that was given up. */
export function noteOffboarding(root: string, offboarding: Offboarding): void {
  const { archive, fed } = federationLayout(root)
  // where the doctor looks for what killed writers leave
  const temporary = path.join(fed, `.${uuid()}.tmp`)
  makeDirectory(archive)
  disk.create(temporary, `${JSON.stringify(offboarding, null, 2)}\n`)
  disk.rename(temporary, recordOf(root, offboarding.entry.domainId))
  disk.syncDirectory(archive)
}
