import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot } from '../../platform/process/package.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { replaceFile, WRITABLE } from '../../platform/storage/disk.ts'
import { readOutside } from '../../platform/storage/outside-file.ts'

const name = 'federate.config.schema.json'
const largestBytes = 1_048_576

/** What `$schema` of a new configuration says: the copy, seen from the configuration. */
export const CONFIG_SCHEMA = `./.fed/${name}`

/**
 * Puts the configuration's JSON Schema of this version where `$schema` of a new configuration points. A copy that
 * a newer fed made stays. Nothing of fed reads it: it is for editors.
 * @returns whether it was written.
 */
export function renewConfigSchema(root: string): boolean {
  const { fed } = federationLayout(root)
  const file = path.join(fed, name)
  const text = readFileSync(path.join(packageRoot, 'src', 'federation', 'schemas', name), 'utf8')
  const there = readOutside(file, { largestBytes, followLinks: false })
  if (there.kind === 'text' && (there.text === text || isNewer(versionOf(there.text), versionOf(text))))
    return false
  replaceFile(file, text, fed, { mode: WRITABLE, isDurable: false })
  return true
}

function versionOf(schema: string): string {
  return /"\$comment": "fed ([\w.+-]+)"/.exec(schema)?.[1] ?? '0'
}

function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0
}
