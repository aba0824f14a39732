// Tries to write in every way that an agent has by mistake, notes what it was told, then does its job by tools:
// `held.mjs`; told to end it takes its time, and says goodbye: `held.mjs waits`.
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { calls, note, Tools } from './by-tools.mjs'

const { FED_ROOT: root, FED_WORKSPACE: workspace, FED_TEAM: team } = process.env

if (process.argv[2] === 'waits') {
  process.on('SIGTERM', () =>
    setTimeout(() => {
      note('goodbye')
      process.exit(3)
    }, 300),
  )
  // numbers of processes say nothing outside: a word of its own does
  const word = `held-${randomUUID()}`
  spawn(process.execPath, ['-e', 'setInterval(() => undefined, 60000)', word], { stdio: 'ignore' })
  console.log(`ready ${word}`)
  setInterval(() => undefined, 60_000)
} else {
  const attempts = {
    edit: () => appendFileSync(path.join(root, 'src', 'app.ts'), '// mine\n'),
    create: () => writeFileSync(path.join(root, 'notes.md'), 'mine\n'),
    // `rmSync` of Node 24 tells no code where a file system is read-only
    remove: () => unlinkSync(path.join(root, 'src', 'app.ts')),
    move: () => renameSync(path.join(root, 'src'), path.join(root, 'source')),
    configure: () => appendFileSync(path.join(root, '.git', 'config'), '# mine\n'),
    around: () => writeFileSync(`/proc/${process.ppid}/root${root}/notes.md`, 'mine\n'),
    home: () => rmSync(writeFresh(os.homedir())),
    temporary: () => rmSync(writeFresh(os.tmpdir())),
    workspace: () => rmSync(writeFresh(workspace)),
  }
  for (const [kind, attempt] of Object.entries(attempts)) {
    try {
      attempt()
      note('attempt', { attempt: kind, answer: 'done' })
    } catch (error) {
      note('attempt', { attempt: kind, answer: error.code })
    }
  }
  writeFileSync(path.join(os.homedir(), `.left-by-${path.basename(root)}`), '')
  const commit = spawnSync('git', ['commit', '--allow-empty', '--message', 'Mine'], { cwd: root })
  note('attempt', { attempt: 'commit', answer: commit.status })

  const tools = new Tools({
    command: 'fed',
    args: ['mcp', '--team', team, '--dir', root],
    env: process.env,
  })
  await tools.open()
  for (const [name, input] of calls) await tools.call(name, input)
  tools.close()
}

function writeFresh(dir) {
  const file = path.join(dir, `.held-${process.pid}`)
  writeFileSync(file, '')
  return file
}
