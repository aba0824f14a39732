// What the disk asks for a promise: ratios to a database move with it, because one overwrites a log and the other
// makes files.
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { inWords, median, timed } from './measure.mjs'
import { newFolder } from './places.mjs'

const times = 40
const bytes = Buffer.alloc(4096, 'x')

/** Words for the median cost of a flush into a file that is there, and of a new file that is flushed. */
export async function flushCost() {
  const dir = newFolder('flush')
  const log = openSync(path.join(dir, 'log'), 'w')
  writeSync(log, Buffer.alloc(times * bytes.length))
  fdatasyncSync(log)
  const overwritten = []
  const created = []
  for (let at = 0; at < times; at += 1) {
    overwritten.push(
      await timed(() => {
        writeSync(log, bytes, 0, bytes.length, at * bytes.length)
        fdatasyncSync(log)
      }),
    )
    created.push(
      await timed(() => {
        const file = openSync(path.join(dir, String(at)), 'wx')
        writeSync(file, bytes)
        fdatasyncSync(file)
        closeSync(file)
      }),
    )
  }
  closeSync(log)
  return `a flushed overwrite ${inWords(median(overwritten))}, a flushed new file ${inWords(median(created))}`
}
