// A writer of a registry that goes on until it is killed and tells when it committed:
// `keep-updating.mjs <way> <folder>`.
import { writeSync } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { begin, say } from '../children.mjs'
import { clock } from '../measure.mjs'
import { registryWriter } from '../registry-writer.mjs'
import { Skipped } from '../rivals.mjs'

const [way, folder] = process.argv.slice(2)

let write
try {
  write = await registryWriter(way, folder)
} catch (error) {
  if (!(error instanceof Skipped)) throw error
  await say({ skipped: error.message })
  process.exit(0)
}
await begin()
const ending = new AbortController()
process.once('message', () => ending.abort())
while (!ending.signal.aborted) {
  try {
    await write()
  } catch (error) {
    // proper-lockfile: a lock that was taken over while its holder was stopped
    if (way === 'ours') throw error
    continue
  }
  writeSync(1, `${clock()}\n`)
  // a lock is given back, and a message heard, between two updates
  await turn()
}
process.exit(0)
