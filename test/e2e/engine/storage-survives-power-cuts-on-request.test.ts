// Proves that what is committed is forced to the disk by default, and that FED_DURABILITY=process alone
// leaves that to the kernel; fails when a sync call is dropped or the switch is ignored. It counts real calls.
import { expect, test } from 'vitest'
import { bundle } from '../../support/bundle.ts'
import { newFile } from '../../support/counter.ts'
import { start } from '../../support/program.ts'

async function syncs(durability: string): Promise<number[]> {
  const worker = await bundle('workers/storage.ts')
  const { stdout, stderr } = await start(worker, ['syncs', newFile()], {
    env: { FED_DURABILITY: durability },
  }).ended
  expect(stderr).toBe('')
  return stdout.split(' ').map(Number)
}

test('by default a commit syncs its folder, its version and the published copy, a log line its bytes', async () => {
  // the first commit: new folder's entry, version, version's name, published copy; the first line: bytes, name
  expect(await syncs('power')).toEqual([4, 2])
})

test('with FED_DURABILITY=process nothing is synced', async () => {
  expect(await syncs('process')).toEqual([0, 0])
})
