import { createHash } from 'node:crypto'
import { arrayBuffer } from 'node:stream/consumers'
import type { ObjectResult, ObjectStore } from '@nats-io/obj'
import { FedError } from '../errors/fed-error.ts'
import { answerMs, asDown, LinkDownError, type Link } from './connection.ts'

/** Bytes that come in a millisecond at least. */
const slowest = 100

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
  let bytes: Uint8Array | undefined
  try {
    const found = await files.get(nameOf(digest))
    bytes = found === null ? undefined : await bytesOf(found)
  } catch (error) {
    throw asDown(error)
  }
  if (bytes !== undefined && digestOfBytes(bytes) !== digest)
    throw new FedError(`the servers gave other bytes for ${digest}`)
  return bytes
}

/** Not for ever: what was on its way when a connection broke is not sent again. */
async function bytesOf({ info, data, error }: ObjectResult): Promise<Uint8Array> {
  const longestMs = answerMs + info.size / slowest
  let patience: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const tooLate = () => reject(new LinkDownError(`the servers did not send all of ${info.name}`))
    patience = setTimeout(tooLate, longestMs)
  })
  try {
    const [bytes, fault] = await Promise.race([Promise.all([arrayBuffer(data), error]), late])
    if (fault instanceof Error) throw fault
    return new Uint8Array(bytes)
  } finally {
    clearTimeout(patience)
  }
}
