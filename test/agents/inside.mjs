// What the shell of a real agent does within walls, by the orders in a file: `inside.mjs <orders.json> <notes.json>`.
//   refresh   a file that is replaced as programs do with credentials: written beside it, and renamed over it
//   settled   files that it tries to write, to replace and to remove, and folders in which it tries to make one
//   closed    files that it tries to read
//   mark      a file that it makes, and says whether it was there
//   shut      an address that it asks for
//   installs  whether packages are installed in a folder of its own, from the repository's lock file
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cpSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const [ordersFile, notesFile] = process.argv.slice(2)
const { refresh, text, settled, closed, mark, shut, isReader } = JSON.parse(readFileSync(ordersFile, 'utf8'))
const atHome = (name) => path.join(os.homedir(), name)

function answer(attempt) {
  try {
    attempt()
    return 'done'
  } catch (error) {
    return error.code
  }
}

function replace(file, content) {
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

function changes(place) {
  if (answer(() => statSync(place)) !== 'done') return [answer(() => writeFileSync(place, ''))]
  if (statSync(place).isDirectory()) return [answer(() => writeFileSync(path.join(place, 'new'), '{}'))]
  return [
    answer(() => writeFileSync(place, 'changed', { flag: 'a' })),
    answer(() => replace(place, 'changed')),
    answer(() => rmSync(place)),
  ]
}

function npm(folder, ...args) {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  return status === 0 ? 'done' : `${stdout}${stderr}`
}

// a reader does not write where the code is
const folder = isReader ? mkdtempSync(path.join(os.tmpdir(), 'copy-')) : process.cwd()
if (isReader)
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'proof.mjs'])
    cpSync(path.join(process.cwd(), name), path.join(folder, name))
const wasMarked = existsSync(atHome(mark))
mkdirSync(path.dirname(atHome(mark)), { recursive: true })

const notes = {
  refreshed: answer(() => replace(atHome(refresh), text)),
  settled: Object.fromEntries(settled.map((name) => [name, changes(atHome(name))])),
  closed: closed.map((name) => answer(() => readFileSync(atHome(name)))),
  marked: wasMarked ? 'before' : answer(() => writeFileSync(atHome(mark), '')),
  installed: npm(folder, 'ci'),
  tested: npm(folder, 'test'),
  asked:
    shut === undefined
      ? 'nothing'
      : await fetch(shut).then(
          ({ status }) => status,
          () => 'refused',
        ),
}
writeFileSync(notesFile, JSON.stringify(notes))
