import { createHash } from 'node:crypto'
import type { ObjectStore } from '@nats-io/obj'
import { FedError } from '../errors/fed-error.ts'
import { asDown, type Link } from './connection.ts'

/** The digest under which bytes are kept. */
export function digestOfBytes(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Names of the store may not hold a colon. */
function nameOf(digest: string): string {
  return digest.replace(':', '-')
}

/**
 * Keeps bytes at the servers under their digest; what is there already is not sent again.
 * @throws {LinkDownError}
 */
export async function keepFile({ files }: Pick<Link, 'files'>, bytes: Uint8Array): Promise<string> {
  const digest = digestOfBytes(bytes)
  try {
    const there = await files.info(nameOf(digest))
    if (there === null || there.deleted) await files.putBlob({ name: nameOf(digest) }, bytes)
    return digest
  } catch (error) {
    throw asDown(error)
  }
}

/**
 * Bytes by their digest; undefined where the servers have none.
 * @throws {LinkDownError}; {FedError} where they are others than the digest says.
 */
export async function fetchFile(
  { files }: { readonly files: ObjectStore },
  digest: string,
): Promise<Uint8Array | undefined> {
  let bytes: Uint8Array | null
  try {
    bytes = await files.getBlob(nameOf(digest))
  } catch (error) {
    throw asDown(error)
  }
  if (bytes === null) return undefined
  if (digestOfBytes(bytes) !== digest) throw new FedError(`the servers gave other bytes for ${digest}`)
  return bytes
}
