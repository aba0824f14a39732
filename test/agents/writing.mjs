// Works, and writes where it only reads: `writing.mjs <file> [state in which it stops [stays]]`; in the state
// `complete` it wrote after its work.
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { walk } from './work.mjs'

const [file, until, stays] = process.argv.slice(2)
if (until !== undefined) await walk(until)
appendFileSync(path.join(process.env.FED_ROOT, file), '// written by an agent that only reads\n')
if (until === undefined) await walk()
if (stays !== undefined) setInterval(() => undefined, 60_000)
