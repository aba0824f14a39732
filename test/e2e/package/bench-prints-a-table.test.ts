// The benchmarks measure and print their table, also in sizes that mean nothing; a row that no longer fits the
// library or the commands makes the runner exit 1.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const runner = fileURLToPath(new URL('../../bench/run.mjs', import.meta.url))

test('two rows, as small as they get', async () => {
  const sizes = ['--set', 'rounds=1', '--set', 'count=20']
  const { stdout } = await promisify(execFile)(process.execPath, [runner, 'send', 'read', ...sizes])
  const [head, , ...lines] = stdout.split('\n')
  expect(head).toMatch(/^\| path +\| ours +\| bound or rival +\| ratio/)
  expect(lines.slice(0, 2)).toEqual([expect.stringMatching(/^\| send/), expect.stringMatching(/^\| read/)])
})
