import path from 'node:path'
import * as z from 'zod/mini'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { disk, makeDirectory, replaceFile } from '../../platform/storage/disk.ts'
import { linkSchema } from '../../protocol/config-link.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { timestampSchema } from '../../protocol/time.ts'

const siteRecordSchema = z.strictObject({
  ...linkSchema.shape,
  site: z.string(),
  /** Since when this is a site, ISO 8601. */
  since: timestampSchema,
})

/** How this site is linked: `.fed/link/site.json`, which `fed link up` writes; without it nothing is linked. */
export type SiteRecord = z.infer<typeof siteRecordSchema>

const format = ownFormat('fed-site-1', siteRecordSchema)

function fileOf(root: string): string {
  return path.join(federationLayout(root).link, 'site.json')
}

/**
 * Which site of a linked federation this is; undefined where it is not linked.
 * @throws {CorruptDocumentError | NewerFormatError}
 */
export function readSite(root: string): SiteRecord | undefined {
  const file = fileOf(root)
  const text = disk.read(file)
  if (text === undefined) return undefined
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new CorruptDocumentError(file, (error as Error).message)
  }
  return format.decode(json, file)
}

export function writeSite(root: string, record: SiteRecord): void {
  const { link, fed } = federationLayout(root)
  makeDirectory(link)
  replaceFile(fileOf(root), format.textOf(record), fed)
  disk.syncDirectory(link)
}

/** Makes this a federation of its own again: what is known of other sites stays where it is, and is not used. */
export function removeSite(root: string): void {
  if (disk.unlink(fileOf(root))) disk.syncDirectory(federationLayout(root).link)
}
