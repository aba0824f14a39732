// Proves that a damaged document is refused by name and left as it is; fails when damage is replaced, taken
// for an empty document, or reported as an error that does not say which file.
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CorruptDocumentError } from '../../../src/errors/document-errors.ts'
import { makeDirectory } from '../../../src/platform/storage/disk.ts'
import { versionFile, versionsDirectory } from '../../../src/platform/storage/versioned-steps.ts'
import { bundle } from '../../support/bundle.ts'
import { count, counter, newFile } from '../../support/counter.ts'
import { start } from '../../support/program.ts'

/** A document with three versions. */
function counted(handEdits: 'keep' | 'refuse' = 'keep') {
  const document = counter(newFile(), handEdits)
  for (let turn = 0; turn < 3; turn += 1) count(document)
  return { document, file: document.shape.file }
}

function damage(file: string, text: string): void {
  rmSync(file)
  writeFileSync(file, text)
}

test.each([
  ['half of it', (text: string) => text.slice(0, text.length / 2)],
  ['nothing', () => ''],
  ['zeros, as after a power cut', (text: string) => '\0'.repeat(text.length)],
  ['JSON without a version', () => '{}'],
  ['a version that is no integer', () => '{"version": "3"}'],
])('a published file that holds %s is refused by name and not replaced', (_, damaged) => {
  const { document, file } = counted()
  const text = damaged(readFileSync(file, 'utf8'))
  damage(file, text)
  for (const act of [() => document.read(), () => count(document)]) {
    expect(act).toThrow(CorruptDocumentError)
    expect(act).toThrow(file)
  }
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(document.versions()).toEqual([1, 2, 3])
})

test.each([
  ['no JSON', () => '{'],
  ['an older version number', (text: string) => text.replace('"version": 3', '"version": 2')],
])('a version that holds %s is refused by name and not replaced', (_, damaged) => {
  const { document, file } = counted()
  const newest = versionFile(file, 3)
  damage(newest, damaged(readFileSync(newest, 'utf8')))
  expect(() => count(document)).toThrow(CorruptDocumentError)
  expect(() => count(document)).toThrow(newest)
  expect(document.versions()).toEqual([1, 2, 3])
})

test('a version that does not follow the one before it is refused by name', () => {
  const { document, file } = counted()
  const text = readFileSync(file, 'utf8')
  const stranger = JSON.parse(text)
  stranger.version = 4
  stranger.commit = { id: 'x', previous: 'y' }
  writeFileSync(versionFile(file, 4), JSON.stringify(stranger))
  expect(() => document.read()).toThrow(`${versionFile(file, 4)} is damaged: it does not follow version 3`)
})

test('an edit by hand of a document that refuses edits is refused by name and not replaced', () => {
  const { document, file } = counted('refuse')
  const text = readFileSync(file, 'utf8').replace('"here": 3', '"here": 30')
  damage(file, text)
  expect(() => count(document)).toThrow(`${file} is damaged: it differs from version 3`)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test.each([{ version: 4 }, { version: 1, commit: undefined }])(
  'a document that refuses edits refuses another program’s document: %j',
  (change) => {
    const { document, file } = counted('refuse')
    const text = JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change })
    damage(file, text)
    expect(() => count(document)).toThrow(CorruptDocumentError)
    expect(readFileSync(file, 'utf8')).toBe(text)
  },
)

test('a document that refuses edits is refused when all its versions were removed', () => {
  const { document, file } = counted('refuse')
  rmSync(versionsDirectory(file), { recursive: true })
  expect(() => document.read()).toThrow('version is 3, but the newest version committed is none')
})

test('a folder in the place of the published file is named', () => {
  const document = counter(newFile())
  mkdirSync(document.shape.file)
  expect(() => count(document)).toThrow(CorruptDocumentError)
  expect(() => count(document)).toThrow(
    `${document.shape.file} is damaged: it is a folder, not a regular file`,
  )
})

test('a file in the place of the versions is named', () => {
  const { document, file } = counted()
  rmSync(versionsDirectory(file), { recursive: true })
  writeFileSync(versionsDirectory(file), '')
  expect(() => count(document)).toThrow(CorruptDocumentError)
  expect(() => count(document)).toThrow(`${versionsDirectory(file)} is damaged: it is not a folder`)
})

test('without permission to write, the file system’s own error names the folder and nothing is changed', async () => {
  const { document, file } = counted()
  const worker = await bundle('workers/storage.ts')
  chmodSync(path.dirname(file), 0o755)
  chmodSync(versionsDirectory(file), 0o555)
  const { code, stderr } = await start(worker, ['count-unprivileged', file, 'other']).ended
  expect(code).toBe(1)
  expect(stderr).toMatch(/EACCES: permission denied, open '.*counter\.d\//)
  expect(document.versions()).toEqual([1, 2, 3])
  expect(document.read()?.content.counts).toEqual({ here: 3 })
  chmodSync(versionsDirectory(file), 0o755)
})

test('a federation whose folder is gone is not made anew by reading', () => {
  const file = path.join(newFile(), 'gone', 'counter.json')
  expect(counter(file).read()).toBeUndefined()
  expect(counter(file).versions()).toEqual([])
  expect(readdirSync(path.dirname(path.dirname(path.dirname(file))))).toEqual([])
  makeDirectory(path.dirname(file))
  expect(count(counter(file)).version).toBe(1)
})
