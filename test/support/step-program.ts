// What tests start as a process of its own: `<root> <team> <times>` steps a team again and again.
import { writeSync } from 'node:fs'
import { reload } from './federation.ts'

const [root = '', team = '', times = '1'] = process.argv.slice(2)
for (let turn = 0; turn < Number(times); turn += 1) {
  await (await reload(root, team)).step()
  writeSync(1, `${turn}\n`)
}
