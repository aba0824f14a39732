// Proves that a folder that is held open is never taken for one of the same name that is there now: after it was
// removed, moved or replaced, what is done under its name is done where the name leads. Fails when something is
// written into a folder that is gone.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { disk, makeDirectory } from '../../src/platform/storage/disk.ts'
import { makeFolders, move, remove, removeEmpty } from '../../src/platform/storage/without-links.ts'
import { newFolder } from '../support/fed.ts'

test.each<[how: string, away: (dir: string) => void]>([
  ['removed empty', removeEmpty],
  ['removed with all that it holds', remove],
  ['moved', (dir) => move(dir, `${dir}-moved`)],
  ['removed by another program', (dir) => rmSync(dir, { recursive: true })],
  ['moved by another program', (dir) => renameSync(dir, `${dir}-moved`)],
])('after it was %s', async (how, away) => {
  const dir = path.join(newFolder('held'), '.fed', 'inner')
  makeDirectory(dir)
  expect(disk.list(dir)).toEqual([])
  // what others do is seen from the next turn of the loop on
  if (how.includes('another')) await Promise.resolve()
  away(dir)
  if (how.includes('another')) await Promise.resolve()
  const further = path.join(dir, 'further')
  expect(makeFolders(further)).toEqual([dir, further])
  expect(existsSync(further)).toBe(true)
  disk.create(path.join(further, 'file'), 'text')
  expect(disk.read(path.join(further, 'file'))).toBe('text')
})

test('and one that took its place is the one that is used', async () => {
  const dir = path.join(newFolder('held'), '.fed', 'inner')
  makeDirectory(dir)
  disk.create(path.join(dir, 'before'), '')
  renameSync(dir, `${dir}-moved`)
  mkdirSync(dir)
  await Promise.resolve()
  disk.create(path.join(dir, 'now'), '')
  expect([disk.list(dir), disk.list(`${dir}-moved`)]).toEqual([['now'], ['before']])
})
