// Proves that what people and other programs write into a document is kept with the next commit, and that a
// commit is never lost to them; fails when an edit is overwritten unread or when it undoes a commit.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { versionFile } from '../../src/platform/storage/versioned-steps.ts'
import { count, counter, newFile, type Counter } from '../support/counter.ts'

function edit(file: string, change: (content: Record<string, unknown>) => unknown): void {
  const content: unknown = change(JSON.parse(readFileSync(file, 'utf8')))
  rmSync(file)
  writeFileSync(file, JSON.stringify(content))
}

function counted() {
  const document = counter(newFile())
  for (let turn = 0; turn < 3; turn += 1) count(document)
  return { document, file: document.shape.file }
}

test.each([0, 1, 7])('a document at version %i that was there before us is adopted', (version) => {
  const file = newFile()
  writeFileSync(file, JSON.stringify({ version, counts: { other: 5 }, unknown: ['kept'] }))
  const document = counter(file)
  expect(document.read()).toMatchObject({ version, content: { counts: { other: 5 } } })
  const committed = count(document)
  expect(committed.version).toBe(Math.max(version, 1) + 1)
  expect(committed.content).toMatchObject({ counts: { other: 5, here: 1 }, unknown: ['kept'] })
  for (let turn = 0; turn < 10; turn += 1) count(document)
  expect(document.read()?.content.counts).toEqual({ other: 5, here: 11 })
})

test('fields that nobody here knows survive every rewrite', () => {
  const { document, file } = counted()
  edit(file, (content) => ({ ...content, future: { deep: [1, null, 'ü'] } }))
  for (let turn = 0; turn < 3; turn += 1) count(document)
  expect(document.read()?.content).toMatchObject({ future: { deep: [1, null, 'ü'] }, counts: { here: 6 } })
})

test('an edit by hand is read at once, stays while nobody writes, and is kept by the next commit', () => {
  const { document, file } = counted()
  edit(file, (content) => ({ ...content, counts: { here: 30 } }))
  const text = readFileSync(file, 'utf8')
  const head = document.read()
  expect(head).toMatchObject({ version: 3, content: { counts: { here: 30 } } })
  if (head !== undefined) document.catchUp(head)
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(count(document)).toMatchObject({ version: 4, content: { counts: { here: 31 } } })
  expect(document.version(3)?.counts).toEqual({ here: 3 })
})

test.each([
  ['one', 1, true],
  ['one, and drops what it does not know', 1, false],
  ['several', 6, true],
  ['several, and drops what it does not know', 6, false],
])('a program that raises the version by %s is adopted, and numbers go on from there', (_, by, keeps) => {
  const { document, file } = counted()
  edit(file, ({ version, commit }) => ({
    version: (version as number) + by,
    ...(keeps ? { commit } : {}),
    counts: { here: 3, other: 1 },
  }))
  expect(document.read()?.version).toBe(3 + by)
  expect(count(document)).toMatchObject({ version: 4 + by, content: { counts: { here: 4, other: 1 } } })
  count(document)
  expect(document.read()).toMatchObject({ version: 5 + by, content: { counts: { here: 5, other: 1 } } })
  // what the other program wrote stays in the history as a version of its own, in the next file
  expect(document.version(4)).toMatchObject({ version: 3 + by, counts: { here: 3, other: 1 } })
  expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe(5 + by)
})

test('a program that wrote from an outdated version lost the race: no commit is undone', () => {
  const { document, file } = counted()
  edit(file, () => ({ version: 3, counts: { other: 1 } }))
  const head = document.read()
  expect(head).toMatchObject({ version: 3, published: undefined, content: { counts: { here: 3 } } })
  if (head !== undefined) document.catchUp(head)
  expect(readFileSync(file, 'utf8')).toBe(readFileSync(versionFile(file, 3), 'utf8'))
})

test('an adoption and a commit that was begun before it cannot both win', () => {
  const { document, file } = counted()
  const before = document.read()
  edit(file, ({ version }) => ({ version: (version as number) + 5, counts: { other: 1 } }))
  const theirs = document.read()
  expect(document.commit(before, { counts: { late: 1 } })?.version).toBe(4)
  expect(document.commit(theirs, theirs?.content as Counter)).toBeUndefined()
  expect(document.read()).toMatchObject({ version: 4, content: { counts: { late: 1 } } })
})

test('removing all versions loses no content', () => {
  const { document, file } = counted()
  rmSync(file.replace('.json', '.d'), { recursive: true })
  expect(count(document)).toMatchObject({ version: 4, content: { counts: { here: 4 } } })
})
