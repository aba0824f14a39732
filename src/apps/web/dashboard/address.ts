import { randomBytes } from 'node:crypto'
import path from 'node:path'
import * as z from 'zod/mini'
import { federationLayout } from '../../../protocol/folder-layout.ts'
import { ownFormat } from '../../../protocol/own-format.ts'
import { makeDirectory, replaceFile } from '../../../platform/storage/disk.ts'
import { readOutside } from '../../../platform/storage/outside-file.ts'

const addressSchema = z.strictObject({
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  token: z.string().check(z.regex(/^[\w-]{43}$/)),
})

/** Where a federation's dashboard is found, and the word without which it tells nothing. */
export type Address = z.infer<typeof addressSchema>

const format = ownFormat('fed-dashboard-1', addressSchema)

function fileOf(root: string): string {
  return path.join(federationLayout(root).dashboard, 'address.json')
}

/**
 * The address that was used last, so that a page that is open finds the dashboard again when it is started anew.
 * The file is its owner's alone.
 */
export function lastAddress(root: string): Address | undefined {
  const outside = readOutside(fileOf(root), { largestBytes: 4096, followLinks: false })
  // whoever may read the file may use the page
  if (outside.kind !== 'text' || (outside.stat.mode & 0o077) !== 0) return undefined
  try {
    return format.decode(JSON.parse(outside.text), fileOf(root))
  } catch {
    // whatever it says, a new one does as well
    return undefined
  }
}

/** Remembers an address for the next time. */
export function keepAddress(root: string, address: Address): void {
  const file = fileOf(root)
  makeDirectory(path.dirname(file))
  replaceFile(file, format.textOf(address), path.dirname(file), { mode: 0o600, isDurable: false })
}

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}
