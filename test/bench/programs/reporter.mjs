// An agent that gives `fed report` once, by its tray or as a person would, and notes how long that took:
// `reporter.mjs <file> tray|person`.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'

const [file, how] = process.argv.slice(2)
const { FED_TRAY: _tray, ...person } = process.env
const env = how === 'tray' ? process.env : person
// as every agent begins
spawnSync('fed', ['status', process.env.FED_TEAM], { env })
const began = performance.now()
const { status, stderr } = spawnSync(
  'fed',
  ['report', 'mission-planned', '--body', 'Read src/app.ts first'],
  {
    env,
    encoding: 'utf8',
  },
)
const milliseconds = performance.now() - began
if (status !== 0) throw new Error(stderr)
writeFileSync(file, String(milliseconds))
spawnSync('fed', ['alert', 'information-missing', '--body', 'It was measured'])
