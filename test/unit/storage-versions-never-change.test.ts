// Proves what lies on the disk: one file for each version, in a row, read-only, not shared with the published
// file, and that collection leaves a row without a gap; fails when an edit of one file reaches another.
import { appendFileSync, chmodSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { disk } from '../../src/platform/storage/disk.ts'
import { VersionedDocument } from '../../src/platform/storage/versioned-document.ts'
import { versionFile, versionsDirectory } from '../../src/platform/storage/versioned-steps.ts'
import { count, counter, newFile } from '../support/counter.ts'

function counted(times: number) {
  const document = counter(newFile())
  for (let turn = 0; turn < times; turn += 1) count(document)
  return { document, file: document.shape.file }
}

test('each version has its number, its own id and its predecessor’s, and nobody may write to it', () => {
  const { document, file } = counted(5)
  expect(document.versions()).toEqual([1, 2, 3, 4, 5])
  expect(readdirSync(versionsDirectory(file)).toSorted()).toEqual([
    '1.json',
    '2.json',
    '3.json',
    '4.json',
    '5.json',
  ])
  let previous: string | null = null
  for (const number of document.versions()) {
    const content = JSON.parse(readFileSync(versionFile(file, number), 'utf8'))
    expect(content).toMatchObject({ version: number, commit: { previous } })
    previous = content.commit.id
    expect(statSync(versionFile(file, number)).mode & 0o777).toBe(0o444)
  }
})

test('the published file is a copy: an edit of it does not reach the version', () => {
  const { file } = counted(2)
  const version = readFileSync(versionFile(file, 2), 'utf8')
  expect(readFileSync(file, 'utf8')).toBe(version)
  expect(statSync(file).ino).not.toBe(statSync(versionFile(file, 2)).ino)
  chmodSync(file, 0o644)
  appendFileSync(file, '\n')
  expect(readFileSync(versionFile(file, 2), 'utf8')).toBe(version)
})

test('only what is both old and many is collected, the oldest first', () => {
  const { document, file } = counted(10)
  expect(document.collect({ keep: 3, minimumAgeMs: 3_600_000 })).toBe(0)
  const longAgo = new Date(Date.now() - 7_200_000)
  for (const number of [1, 2, 3, 5, 6]) utimesSync(versionFile(file, number), longAgo, longAgo)
  expect(document.collect({ keep: 9, minimumAgeMs: 3_600_000 })).toBe(1)
  // 4 is young: what is older than it goes, what is above it stays
  expect(document.collect({ keep: 3, minimumAgeMs: 3_600_000 })).toBe(2)
  expect(document.versions()).toEqual([4, 5, 6, 7, 8, 9, 10])
})

test('what is beyond a size is collected however young it is, the oldest first', () => {
  const { document, file } = counted(10)
  const bytes = (...numbers: number[]) =>
    numbers.map((number) => statSync(versionFile(file, number)).size).reduce((all, size) => all + size, 0)
  const young = { keep: 10, minimumAgeMs: 3_600_000 }
  expect(document.collect({ ...young, keepBytes: bytes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) })).toBe(0)
  expect(document.collect({ ...young, keepBytes: bytes(8, 9, 10) })).toBe(7)
  expect(document.versions()).toEqual([8, 9, 10])
  expect(document.collect({ ...young, keepBytes: bytes(9, 10) - 1 })).toBe(2)
  // the newest stays, however large it is
  expect(document.collect({ ...young, keepBytes: 1 })).toBe(0)
  expect(count(document)).toMatchObject({ version: 11, content: { counts: { here: 11 } } })
})

test('the newest version is never collected', () => {
  const { document } = counted(4)
  expect(document.collect({ keep: 0, minimumAgeMs: 0 })).toBe(3)
  expect(count(document)).toMatchObject({ version: 5, content: { counts: { here: 5 } } })
})

test('a document that is told to collects by itself: after so many commits, and sooner where versions are large', () => {
  const minimumAgeMs = -60_000
  const small = counter(newFile(), 'keep', { minimumAgeMs, keep: 2, every: 6 })
  for (let each = 0; each < 5; each += 1) count(small)
  expect(small.versions()).toEqual([1, 2, 3, 4, 5])
  count(small)
  expect(small.versions()).toEqual([5, 6])
  const large = counter(newFile(), 'keep', { minimumAgeMs, keep: 2, keepBytes: 400, every: 6 })
  for (let each = 0; each < 4; each += 1) count(large)
  expect(large.versions()).toEqual([3, 4])
})

test('a commit stands where old versions cannot be removed', () => {
  const file = newFile()
  const unlink = (name: string) => {
    if (/^\d+\.json$/.test(path.basename(name)))
      throw Object.assign(new Error(name), { code: 'EROFS', syscall: 'unlink' })
    return disk.unlink(name)
  }
  const collection = { minimumAgeMs: -60_000, keep: 1, every: 4 }
  const document = new VersionedDocument({ ...counter(file).shape, collection }, { ...disk, unlink })
  for (let each = 0; each < 4; each += 1) count(document)
  expect(document.read()?.content.counts).toEqual({ here: 4 })
  expect(document.versions()).toEqual([1, 2, 3, 4])
})

test('where there is nothing to write, an update writes nothing and tells what stands', () => {
  const { document } = counted(2)
  const newest = document.read()
  expect(document.update(() => undefined)).toEqual(newest)
  expect(document.versions()).toEqual([1, 2])
  expect(counter(newFile()).update(() => undefined)).toBeUndefined()
})
