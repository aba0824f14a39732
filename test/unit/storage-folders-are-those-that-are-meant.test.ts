// Proves that a folder that is held open is never taken for one of the same name that is there now, and that no link
// on the way to it is followed, whatever is done there. Fails when something is written into a folder that is gone, or
// is read or written where a link leads.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { disk, makeDirectory } from '../../src/platform/storage/disk.ts'
import { appendPlain } from '../../src/platform/storage/plain-file.ts'
import { makeFolders, move, remove, removeEmpty } from '../../src/platform/storage/without-links.ts'
import { digestOf } from '../support/digest-of.ts'
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

test('a folder stays open while something is done in it, however many others are opened meanwhile', () => {
  const top = path.join(newFolder('held'), '.fed')
  const outbox = path.join(top, 'outbox')
  const inboxes = Array.from({ length: 200 }, (_, index) => path.join(top, `inbox-${index}`))
  for (const dir of [outbox, ...inboxes]) makeDirectory(dir)
  disk.create(path.join(outbox, 'signal'), 'text')
  for (const inbox of inboxes) {
    expect(disk.link(path.join(outbox, 'signal'), path.join(inbox, 'signal'))).toBe(true)
    expect(disk.read(path.join(inbox, 'signal'))).toBe('text')
  }
  // what was opened is closed again
  expect(readdirSync('/proc/self/fd').length).toBeLessThan(150)
})

describe.each(['.fed', 'signals', 'inbox'])('with a link in the place of %s', (component) => {
  /** A folder of three, one of which a link to a copy of it stands for. */
  function behindALink() {
    const top = newFolder('held')
    const dir = path.join(top, '.fed', 'signals', 'inbox')
    makeDirectory(dir)
    disk.create(path.join(dir, 'file'), 'text')
    const place = dir.slice(0, dir.indexOf(component) + component.length)
    const outside = path.join(newFolder('outside'), 'kept')
    renameSync(place, outside)
    symlinkSync(outside, place)
    return { dir, outside }
  }

  test.each<[what: string, act: (dir: string) => unknown]>([
    ['read', (dir) => disk.read(path.join(dir, 'file'))],
    ['listed', (dir) => disk.list(dir)],
    ['created', (dir) => disk.create(path.join(dir, 'more'), '')],
    ['linked', (dir) => disk.link(path.join(dir, 'file'), path.join(dir, 'more'))],
    ['renamed', (dir) => disk.rename(path.join(dir, 'file'), path.join(dir, 'more'))],
    ['unlinked', (dir) => disk.unlink(path.join(dir, 'file'))],
    ['appended to', (dir) => appendPlain(path.join(dir, 'file'), 'more')],
    ['made a folder', (dir) => makeFolders(path.join(dir, 'more'))],
    ['removed', (dir) => remove(path.join(dir, 'file'))],
  ])('nothing is %s', async (_what, act) => {
    const { dir, outside } = behindALink()
    await Promise.resolve()
    const before = digestOf(outside)
    expect(() => act(dir)).toThrow('a symbolic link')
    expect(digestOf(outside)).toBe(before)
  })
})
