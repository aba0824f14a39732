import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import path from 'node:path'
import { createOnce } from './disk.ts'
import { readOutside } from './outside-file.ts'
import { ownFolder, personsFolder } from './persons-folder.ts'

const keyBytes = 32

/** One for each folder in which it was found; it never changes. */
const keys = new Map<string, Buffer>()

/** What only the person's own processes know on this machine; undefined where nothing can be kept for them. */
function ownKey(): Buffer | undefined {
  const folder = ownFolder(personsFolder('state'))
  if (folder === undefined) return undefined
  const known = keys.get(folder) ?? keyIn(path.join(folder, 'seal.key'))
  if (known !== undefined) keys.set(folder, known)
  return known
}

function keyIn(file: string): Buffer | undefined {
  for (const isNew of [false, true]) {
    if (isNew) createOnce(file, `${randomBytes(keyBytes).toString('hex')}\n`, undefined, { mode: 0o600 })
    const outside = readOutside(file, { largestBytes: 1024, followLinks: false })
    if (outside.kind === 'missing') continue
    if (outside.kind === 'fault' || (outside.stat.mode & 0o077) !== 0) return undefined
    const key = Buffer.from(outside.text.trim(), 'hex')
    return key.length === keyBytes ? key : undefined
  }
  return undefined
}

/**
 * A document of JSON with a seal, by which a later reader on this machine sees that fed wrote it as it is. Without
 * a place for a person's own key it stays without one.
 * @param json a plain object without a field `seal`.
 */
export function sealed<Document extends object>(json: Document): Document & { readonly seal?: string } {
  const key = ownKey()
  return key === undefined ? json : { ...json, seal: sealOf(key, json).toString('hex') }
}

/** What `sealed` was given, and whether it is still that; without a key whatever bears no seal is. */
export function unsealed(sealedJson: unknown): { readonly json: unknown; readonly isIntact: boolean } {
  if (typeof sealedJson !== 'object' || sealedJson === null) return { json: sealedJson, isIntact: false }
  const { seal, ...json } = sealedJson as { readonly seal?: unknown }
  const key = ownKey()
  if (key === undefined || typeof seal !== 'string')
    return { json, isIntact: key === undefined && seal === undefined }
  const given = Buffer.from(seal, 'hex')
  const right = sealOf(key, json)
  return { json, isIntact: given.length === right.length && timingSafeEqual(given, right) }
}

function sealOf(key: Buffer, json: object): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(json)).digest()
}
