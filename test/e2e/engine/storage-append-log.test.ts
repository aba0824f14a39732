// Proves that a log keeps every line that was appended, whole, whoever else appends or dies in the middle of
// one; fails when lines are interleaved, when a torn line swallows the next, or when one hides the others.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendLine, readLines } from '../../../src/platform/storage/append-log.ts'
import { bundle } from '../../support/bundle.ts'
import { newFile } from '../../support/counter.ts'
import { start } from '../../support/program.ts'

interface Appended {
  readonly name: string
  readonly turn: number
  readonly padding: string
}

/** How many lines each process appended, after a look at every line. */
function countLines(values: unknown[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { name, turn, padding } of values as Appended[]) {
    expect(turn).toBe(counts[name] ?? 0)
    expect(padding).toHaveLength((turn * 977) % 9000)
    counts[name] = turn + 1
  }
  return counts
}

test('8 processes that append 50 lines each leave 400 whole lines, each process’s in order', async () => {
  const file = newFile('log.jsonl')
  const worker = await bundle('workers/storage.ts')
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const ended = await Promise.all(names.map((name) => start(worker, ['append', file, name, '50']).ended))
  expect(ended.map(({ stderr }) => stderr)).toEqual(names.map(() => ''))
  const { values, bad } = readLines(file)
  expect(bad).toEqual([])
  expect(countLines(values)).toEqual(Object.fromEntries(names.map((name) => [name, 50])))
  expect(readFileSync(file, 'utf8').endsWith('}\n')).toBe(true)
})

test('processes killed with SIGKILL in the middle of an append cost nobody else a line', async () => {
  const file = newFile('log.jsonl')
  const worker = await bundle('workers/storage.ts')
  const env = { FED_DURABILITY: 'process' }
  const doomed = ['a', 'b', 'c', 'd'].map((name, index) => ({
    name,
    lines: 5 + 40 * index,
    program: start(worker, ['append', file, name, '1000000'], { env }),
  }))
  const steady = start(worker, ['append', file, 'x', '300'], { env })
  await Promise.all(
    doomed.map(async ({ program, lines }) => {
      await program.lines(lines)
      program.kill()
    }),
  )
  expect(await steady.ended).toMatchObject({ code: 0, stderr: '' })
  const counts = countLines(readLines(file).values)
  expect(counts.x).toBe(300)
  for (const { name, program } of doomed) {
    const reported = (await program.ended).stdout.split('\n').length - 1
    expect([reported, reported + 1]).toContain(counts[name])
  }
})

test('after a torn line the next append starts afresh, and only the torn one is reported', () => {
  const file = newFile('log.jsonl')
  appendLine(file, { turn: 1 })
  appendFileSync(file, '{"turn": 2, "text": "cut in the mi')
  expect(readLines(file)).toMatchObject({ values: [{ turn: 1 }], bad: [{ line: 2 }] })
  appendLine(file, { turn: 3 })
  appendLine(file, { turn: 4 })
  const { values, bad } = readLines(file)
  expect(values).toEqual([{ turn: 1 }, { turn: 3 }, { turn: 4 }])
  expect(bad).toEqual([{ line: 2, text: '{"turn": 2, "text": "cut in the mi', reason: expect.any(String) }])
})

test('a last line that only lacks its end, as editors leave it, is kept', () => {
  const file = newFile('log.jsonl')
  writeFileSync(file, '{"turn":1}\n\n{"turn":2}')
  appendLine(file, { turn: 3 })
  expect(readLines(file)).toEqual({ values: [{ turn: 1 }, { turn: 2 }, { turn: 3 }], bad: [] })
})

test('any values come back as they were, wherever lines are torn between them', () => {
  const entry = fc.record({
    value: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue())),
    tornAt: fc.option(fc.double({ min: 0.01, max: 0.99, noNaN: true })),
  })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 8 }), (entries) => {
      const file = newFile('log.jsonl')
      for (const { value, tornAt } of entries) {
        if (tornAt !== null) {
          const bytes = Buffer.from(JSON.stringify({ torn: value }))
          appendFileSync(file, bytes.subarray(0, Math.max(1, Math.floor(bytes.length * tornAt))))
        }
        appendLine(file, value)
      }
      const { values, bad } = readLines(file)
      expect(values).toEqual(entries.map(({ value }) => JSON.parse(JSON.stringify(value))))
      expect(bad).toHaveLength(entries.filter(({ tornAt }) => tornAt !== null).length)
    }),
    { numRuns: 100 },
  )
})

test('no log is an empty log; a missing folder and a folder in its place are the file system’s errors', () => {
  const file = newFile('log.jsonl')
  expect(readLines(file)).toEqual({ values: [], bad: [] })
  const missing = path.join(path.dirname(file), 'none', 'log.jsonl')
  expect(() => appendLine(missing, {})).toThrow(`ENOENT: no such file or directory, open '${missing}'`)
  mkdirSync(file)
  expect(() => appendLine(file, {})).toThrow(`${file} is a folder, and fed keeps a plain file there`)
})
