import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import path from 'node:path'
import { createOnce } from './disk.ts'
import { readOutside } from './outside-file.ts'
import { ownFolder, personsFolder } from './persons-folder.ts'

const keyBytes = 32

/** One for each folder in which it was found; it never changes. */
const keys = new Map<string, Buffer>()

/** What only the person's own processes know on this machine, or why they know nothing. */
type Key = Buffer | 'nowhere' | 'unusable'

function ownKey(): Key {
  const folder = ownFolder(personsFolder('state'))
  if (folder === undefined) return 'nowhere'
  const key = keys.get(folder) ?? keyIn(path.join(folder, 'seal.key'))
  if (typeof key !== 'string') keys.set(folder, key)
  return key
}

function keyIn(file: string): Key {
  for (const isNew of [false, true]) {
    if (isNew) createOnce(file, `${randomBytes(keyBytes).toString('hex')}\n`, undefined, { mode: 0o600 })
    const outside = readOutside(file, { largestBytes: 1024, followLinks: false })
    if (outside.kind === 'missing') continue
    if (outside.kind === 'fault' || (outside.stat.mode & 0o077) !== 0) return 'unusable'
    const key = Buffer.from(outside.text.trim(), 'hex')
    return key.length === keyBytes ? key : 'unusable'
  }
  return 'unusable'
}

/** Why nothing is sealed on this machine, in words; undefined where it is. */
export function whyUnsealed(): string | undefined {
  const folder = personsFolder('state')
  const key = ownKey()
  if (key === 'nowhere')
    return `${folder} cannot be had for the key of seals: what proves work counts without one`
  if (key === 'unusable')
    return `${path.join(folder, 'seal.key')} is no key that its owner alone can read: no test run and no result of a check counts`
  return undefined
}

/**
 * A document of JSON with a seal, by which a later reader on this machine sees that fed wrote it as it is. Without
 * a place for a person's own key it stays without one.
 * @param json a plain object without a field `seal`.
 */
export function sealed<Document extends object>(json: Document): Document & { readonly seal?: string } {
  const key = ownKey()
  return typeof key === 'string' ? json : { ...json, seal: sealOf(key, json).toString('hex') }
}

/** What `sealed` was given, and whether it is still that; where no key can be kept, whatever bears no seal is. */
export function unsealed(sealedJson: unknown): { readonly json: unknown; readonly isIntact: boolean } {
  if (typeof sealedJson !== 'object' || sealedJson === null) return { json: sealedJson, isIntact: false }
  const { seal, ...json } = sealedJson as { readonly seal?: unknown }
  const key = ownKey()
  if (typeof key === 'string' || typeof seal !== 'string')
    return { json, isIntact: key === 'nowhere' && seal === undefined }
  const given = Buffer.from(seal, 'hex')
  const right = sealOf(key, json)
  return { json, isIntact: given.length === right.length && timingSafeEqual(given, right) }
}

function sealOf(key: Buffer, json: object): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(json)).digest()
}
