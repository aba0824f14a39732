// One survey and its report in a process of its own: `survey.mjs <root> <cache folder>`; tells how long both took.
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { renderReport } from '../../../src/surveyor/render-report.ts'
import { survey } from '../../../src/surveyor/survey.ts'

const [root = '', cacheFolder] = process.argv.slice(2)
const begun = performance.now()
const found = await survey(root, { cacheFolder })
const surveyed = performance.now()
const { length } = renderReport(found, readMission('', 'Document the architecture'))
const told = {
  spent: surveyed - begun,
  withReport: performance.now() - begun,
  length,
  files: found.files.length,
  ...found.statistics,
}
process.stdout.write(JSON.stringify(told))
