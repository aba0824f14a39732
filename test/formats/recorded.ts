// The recorded files of formats, and how one is put into a federation.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { sealed, unsealed } from '../../src/platform/storage/seal.ts'
import { versionFile } from '../../src/platform/storage/versioned-steps.ts'
import { formats, type KnownFormat } from './formats.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Names of the recorded files of a format. */
export const recordedOf = (name: string): string[] => readdirSync(path.join(folder, name))

/** Names of the formats of which files are recorded. */
export const recordedFormats = (): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

/** The text of a recorded file. */
export const textOf = (name: string, file: string): string =>
  readFileSync(path.join(folder, name, file), 'utf8')

/** The same as the next release would write it. */
export const asNewer = (name: string, text: string): string =>
  text.replaceAll(
    new RegExp(`\\bfed-${name}-(\\d+)`, 'g'),
    (_, version) => `fed-${name}-${Number(version) + 1}`,
  )

/** Puts a file of a format into its place in a federation, and returns that. */
export function putInto(root: string, name: string, text: string): string {
  const { place, isSealed, isVersioned, beside } = formats[name] as KnownFormat
  const file = path.join(root, place)
  const put = (target: string) => {
    mkdirSync(path.dirname(target), { recursive: true })
    // recorded under the seal of another machine
    writeFileSync(target, isSealed ? JSON.stringify(sealed(unsealed(JSON.parse(text)).json as object)) : text)
  }
  put(file)
  if (isVersioned) put(versionFile(file, (JSON.parse(text) as { version: number }).version))
  if (beside !== undefined) cpSync(path.join(folder, beside[1]), path.join(root, beside[0]))
  return file
}
