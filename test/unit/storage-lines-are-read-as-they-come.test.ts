// Proves that the lines of a file that grows are read once, whole and in order, whatever it is: what is too long for a
// line, or far behind, is passed over. It fails when a line is read twice or in parts, or when memory grows with the file.
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { LineTail } from '../../src/platform/storage/line-tail.ts'
import { newFolder } from '../support/fed.ts'

const newFile = () => path.join(newFolder('tail'), 'lines')
const megabyte = 1_048_576

test('each line once, when it is whole', () => {
  const file = newFile()
  const tail = new LineTail(file)
  expect(tail.read()).toEqual([])
  writeFileSync(file, 'one\ntw')
  expect(tail.read()).toEqual(['one'])
  appendFileSync(file, 'o\n\nthree\n')
  expect(tail.read()).toEqual(['two', 'three'])
  expect(tail.read()).toEqual([])
  truncateSync(file)
  appendFileSync(file, 'anew\n')
  expect(tail.read()).toEqual(['anew'])
})

test('from a byte on', () => {
  const file = newFile()
  writeFileSync(file, 'one\ntwo\n')
  expect(new LineTail(file, 4).read()).toEqual(['two'])
})

test('a line that is longer than any is passed over, and the next one is read', () => {
  const file = newFile()
  writeFileSync(file, 'one\n')
  const tail = new LineTail(file)
  expect(tail.read()).toEqual(['one'])
  appendFileSync(file, 'x'.repeat(20 * megabyte))
  expect(tail.readAll()).toEqual([])
  appendFileSync(file, 'its end\ntwo\n')
  expect(tail.readAll()).toEqual(['two'])
})

test('much is read to its end, and of more than much the end', () => {
  const file = newFile()
  const line = `${'x'.repeat(megabyte)}\n`
  for (let count = 0; count < 20; count += 1) appendFileSync(file, line)
  appendFileSync(file, 'the last\n')
  const tail = new LineTail(file)
  expect(tail.readAll().length).toBe(21)
  // a hole, which takes no room on the disk
  const huge = newFile()
  writeFileSync(huge, '')
  truncateSync(huge, 3 * 1024 * megabyte)
  appendFileSync(huge, '\nthe last\n')
  expect(new LineTail(huge).readAll()).toEqual(['the last'])
})

test('what is no file has no lines', () => {
  const file = newFile()
  symlinkSync(file, file)
  expect(new LineTail(file).read()).toEqual([])
  const folder = newFile()
  mkdirSync(folder)
  expect(new LineTail(folder).readAll()).toEqual([])
})
