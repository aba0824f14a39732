// One survey in a process of its own: `survey.mjs <root> <cache folder>`; tells how long it took.
import { survey } from '../../../src/surveyor/survey.ts'

const [root = '', cacheFolder] = process.argv.slice(2)
const begun = performance.now()
const { files, statistics } = await survey(root, { cacheFolder })
process.stdout.write(JSON.stringify({ spent: performance.now() - begun, files: files.length, ...statistics }))
