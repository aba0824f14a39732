// Gives the commands that it is told, one after the other, and notes what each said: `commands.mjs <command>…`, each
// of them a JSON array of words; then it ends its mission, or waits to be ended: `commands.mjs <command>… stays`.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'

const commands = process.argv.slice(2)
const stays = commands.at(-1) === 'stays' && commands.pop() !== undefined
const said = commands.map((command) => {
  const words = JSON.parse(command)
  const { status, stdout, stderr } = spawnSync('fed', words, { encoding: 'utf8' })
  return { words, code: status, stdout, stderr }
})
writeFileSync(path.join(process.env.FED_WORKSPACE, 'said.json'), JSON.stringify(said))
if (stays) setInterval(() => undefined, 60_000)
else spawnSync('fed', ['alert', 'information-missing', '--body', 'All was said'])
