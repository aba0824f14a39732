// Proves that a change of a folder is seen by whoever looks after it, whatever the file system's clock says, and that
// what does not change is not read again for ever. Fails when a folder counts as settled because its time is far from
// this machine's.
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { LastChange } from '../../src/platform/storage/last-change.ts'
import { newFolder } from '../support/federation.ts'
import { until } from '../support/until.ts'

/** A folder whose file system's clock stands still: whatever changes in it has one time. */
function standingFolder(): { dir: string; change: () => void } {
  const dir = path.join(newFolder('changes'), 'watched')
  mkdirSync(dir)
  const then = statSync(dir).mtime
  then.setMilliseconds(then.getMilliseconds() - 20_500)
  let count = 0
  const change = () => {
    writeFileSync(path.join(dir, String((count += 1))), '')
    utimesSync(dir, then, then)
  }
  change()
  return { dir, change }
}

test('on a file system whose clock is behind', () => {
  const { dir, change } = standingFolder()
  const watched = new LastChange(dir)
  expect(watched.happened()).toBe(true)
  change()
  expect(watched.happened()).toBe(true)
})

test('what did not change for long is not read again', async () => {
  const { dir, change } = standingFolder()
  const watched = new LastChange(dir)
  await until('a look that finds nothing new', () => !watched.happened())
  expect(watched.happened()).toBe(false)
  const later = new Date()
  change()
  utimesSync(dir, later, later)
  expect(watched.happened()).toBe(true)
})
