// Uses up what is limited: `greedy.mjs processes 40` starts so many, `greedy.mjs disk 40` writes so many megabytes in
// its workspace, `greedy.mjs git 40` in its repository, `greedy.mjs file 40` in one file at a time; then it stays, and
// says what it was refused.
import { spawn } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const [what, amount] = process.argv.slice(2)
const { FED_ROOT: root, FED_WORKSPACE: workspace } = process.env
const folder = what === 'git' ? path.join(root, '.git', 'objects') : workspace
const megabyte = Buffer.alloc(1_000_000, 'x')
try {
  for (let number = 0; number < Number(amount); number += 1) {
    if (what === 'processes') spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
    else if (what !== 'file') writeFileSync(path.join(folder, `part-${number}`), megabyte)
    else appendFileSync('/tmp/whole', megabyte)
  }
} catch (error) {
  console.log(`refused: ${error.code}`)
}
// who has used up nothing outside is not ended
if (what === 'file') process.exit(1)
setInterval(() => undefined, 60_000)
