// Writes a text into a file in pieces, as programs do that do not write aside and rename: `<file> <piece bytes>`
// with the text in the environment. It writes the next piece for each line on its standard input, and says so.
import { closeSync, openSync, writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [file, size] = process.argv.slice(2)
const bytes = Buffer.from(process.env.FED_TEST_TEXT)
const descriptor = openSync(file, 'wx')
let at = 0
writeSync(1, 'open\n')
for await (const _ of createInterface({ input: process.stdin })) {
  at += writeSync(descriptor, bytes, at, Math.min(Number(size), bytes.length - at))
  writeSync(1, at === bytes.length ? 'whole\n' : 'more\n')
}
closeSync(descriptor)
