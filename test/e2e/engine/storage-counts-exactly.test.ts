// Proves with real processes on the real disk that each update counts exactly once; fails when two writers
// take one version, when collection or publishing removes a commit, or when a killed one leaves a blockage.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { versionsDirectory } from '../../../src/platform/storage/versioned-steps.ts'
import { bundle } from '../../support/bundle.ts'
import { counter, newFile } from '../../support/counter.ts'
import { start } from '../../support/program.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

test('8 processes that update 25 times each make 200 versions, none lost or doubled', async () => {
  const file = newFile()
  const worker = await bundle('workers/storage.ts')
  const ended = await Promise.all(names.map((name) => start(worker, ['count', file, name, '25']).ended))
  expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    names.map(() => ({ code: 0, stderr: '' })),
  )

  const head = counter(file).read()
  expect(head?.version).toBe(200)
  expect(head?.content.counts).toEqual(Object.fromEntries(names.map((name) => [name, 25])))
  expect(head?.published).toBe(200)
  expect(readFileSync(file, 'utf8')).toBe(head?.text)
  expect(readdirSync(versionsDirectory(file)).filter((name) => name.startsWith('.'))).toEqual([])
})

test('processes killed with SIGKILL anywhere lose nothing that they reported, and stop nobody', async () => {
  const file = newFile()
  const worker = await bundle('workers/storage.ts')
  const env = { FED_DURABILITY: 'process' }
  const doomed = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => {
    const program = start(worker, ['count', file, name, '100000'], { env })
    return { name, program, lines: 3 + 7 * index }
  })
  const steady = ['x', 'y'].map((name) => start(worker, ['count', file, name, '60'], { env }))
  await Promise.all(
    doomed.map(async ({ program, lines }) => {
      await program.lines(lines)
      program.kill()
    }),
  )
  for (const { ended } of steady) expect(await ended).toMatchObject({ code: 0, stderr: '' })

  const counts = counter(file).read()?.content.counts ?? {}
  expect([counts.x, counts.y]).toEqual([60, 60])
  for (const { name, program } of doomed) {
    const { signal, stdout } = await program.ended
    expect(signal).toBe('SIGKILL')
    const reported = stdout.split('\n').length - 1
    // the last one may have been committed and not yet reported
    expect([reported, reported + 1]).toContain(counts[name])
  }
  const head = counter(file).read()
  expect(head?.version).toBe(Object.values(counts).reduce((sum, each) => sum + each, 0))
  if (head !== undefined) counter(file).catchUp(head)
  expect(JSON.parse(readFileSync(file, 'utf8')).version).toBe(head?.version)
  expect(path.basename(versionsDirectory(file))).toBe('counter.d')
})
