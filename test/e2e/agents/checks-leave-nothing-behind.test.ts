// Proves that a check runs on a fresh checkout of its own: nothing of the repository's configuration runs while that is
// made, what changes tracked files, leaves processes behind or takes too long does not pass, and nothing is left of it,
// however it ends. It fails when a hook or a filter runs, or when a process or a folder stays.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { trustFile } from '../../../src/federation/trust/trust-store.ts'
import { git } from '../../../src/platform/git/git.ts'
import { identify } from '../../../src/platform/process/process-identity.ts'
import { checkoutsIn, commitFiles, configure, endChecksBy, nodeCommand } from '../../support/checks.ts'
import { codingTeam } from '../../support/coding-team.ts'
import { fed, fedDone, newFolder, startFed } from '../../support/fed.ts'
import { writeFiles } from '../../support/repository.ts'
import { someOf } from '../../support/thorough.ts'
import { until } from '../../support/until.ts'

let root: string
let workspace: string
let temporary: string

beforeEach(async () => {
  ;({ root, workspace } = await codingTeam())
  temporary = newFolder('temporary')
})

const report = ['report', 'tests-passed', '--team', 'api']
const settings = () => ({ env: { TMPDIR: temporary } })
const passing = () => fedDone(root, report, settings())
const checkouts = () => checkoutsIn(temporary)

async function refusal(): Promise<string> {
  const { code, stdout, stderr } = await fed(root, [...report, '--quiet'], settings())
  expect([code, stdout]).toEqual([5, ''])
  return stderr
}

test('tracked files that were changed are no pass, also where git was told to look away', async () => {
  const change = nodeCommand(`import { writeFileSync } from 'node:fs'
    import { execFileSync } from 'node:child_process'
    execFileSync('git', ['update-index', '--assume-unchanged', 'src/app.ts'])
    writeFileSync('src/app.ts', 'export const answer = 42\\n')
    writeFileSync('built.js', '')`)
  configure(root, { checks: [{ name: 'unit', run: change }] })
  expect(await refusal()).toContain('changed tracked files: src/app.ts on')
  configure(root, {
    checks: [
      {
        name: 'unit',
        run: nodeCommand("import { writeFileSync } from 'node:fs'\nwriteFileSync('built.js', '')"),
      },
    ],
  })
  await passing()
})

test('a changed file is no pass where every index beside it was told to look away', async () => {
  const change = nodeCommand(`import { execFileSync } from 'node:child_process'
    import { readdirSync, writeFileSync } from 'node:fs'
    writeFileSync('src/app.ts', 'export const answer = 42\\n')
    for (const name of ['tree/.git', ...readdirSync('..')])
      try {
        const at = ['--git-dir=../' + name, '--work-tree=.']
        execFileSync('git', [...at, 'update-index', '--assume-unchanged', 'src/app.ts'], { stdio: 'ignore' })
      } catch {}`)
  configure(root, { checks: [{ name: 'unit', run: change }] })
  expect(await refusal()).toContain('changed tracked files: src/app.ts on')
})

test('a checkout that the check removed is no pass', async () => {
  const remove = nodeCommand(`import { rmSync } from 'node:fs'
    import path from 'node:path'
    rmSync(path.dirname(process.cwd()), { recursive: true })`)
  configure(root, { checks: [{ name: 'unit', run: remove }] })
  expect(await refusal()).toContain('left no checkout that could be compared on')
})

test('a file that is only written again is as it was, also where its line ends are converted', async () => {
  commitFiles(workspace, { '.gitattributes': '*.ts text eol=crlf\n' })
  const write = nodeCommand(`import { rmSync, writeFileSync } from 'node:fs'
    rmSync('src/app.ts')
    writeFileSync('src/app.ts', 'export const answer = 43\\r\\n')`)
  configure(root, { checks: [{ name: 'unit', run: write }] })
  await passing()
})

test('what a person, or whoever reports, has git do with files decides no byte of the checkout', async () => {
  const persons = newFolder('persons')
  const filter = (word: string) => `[filter "evil"]\n\tsmudge = sed s/43/${word}/\n`
  writeFiles(persons, { 'git/attributes': '*.ts filter=evil\n', 'git/config': filter('person') })
  const asked = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'filter.evil.smudge',
    GIT_CONFIG_VALUE_0: 'sed s/43/asked/',
  }
  const look = nodeCommand(`import { readFileSync } from 'node:fs'
    process.exitCode = readFileSync('src/app.ts', 'utf8') === 'export const answer = 43\\n' ? 0 : 3`)
  configure(root, { checks: [{ name: 'unit', run: look }] })
  cpSync(trustFile(), path.join(persons, 'fed', 'trust.json'))
  await fedDone(root, report, { env: { TMPDIR: temporary, XDG_CONFIG_HOME: persons, ...asked } })
})

test('a file of Git LFS is its pointer where that has no content for it', async () => {
  commitFiles(workspace, { '.gitattributes': '*.bin filter=lfs -text\n', 'a.bin': 'pointer\n' })
  const look = nodeCommand(`import { readFileSync } from 'node:fs'
    process.exitCode = readFileSync('a.bin', 'utf8') === 'pointer\\n' ? 0 : 3`)
  configure(root, { checks: [{ name: 'unit', run: look }] })
  await passing()
})

test('processes left behind are no pass, in sessions of their own as well, and they are ended', async () => {
  const pids = path.join(newFolder('pids'), 'pids')
  const leave = nodeCommand(`import { spawn } from 'node:child_process'
    import { appendFileSync } from 'node:fs'
    for (const settings of [{ detached: true }, { detached: false }, { detached: true, env: {} }]) {
      const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 60000)'], { ...settings, stdio: 'ignore' })
      appendFileSync('${pids}', child.pid + ' ')
      child.unref()
    }`)
  configure(root, { checks: [{ name: 'unit', run: leave }] })
  expect(await refusal()).toMatch(/left processes behind, which were ended: \d+ \S*node -e setInterval/)
  for (const pid of readFileSync(pids, 'utf8').trim().split(' '))
    expect(identify(Number(pid))).toBeUndefined()
})

test.each([
  ['a file open', "'sleep'", "openSync('open.txt', 'w')"],
  ['its program', "path.resolve('own/sleep')", "'ignore'"],
])('one that has nothing of the checkout but %s is found', async (_what, program, output) => {
  const file = path.join(newFolder('pid'), 'pid')
  const leave = nodeCommand(`import { execFileSync, spawn } from 'node:child_process'
    import { cpSync, openSync, writeFileSync } from 'node:fs'
    import path from 'node:path'
    const sleep = execFileSync('which', ['sleep'], { encoding: 'utf8' }).trim()
    cpSync(sleep, 'own/sleep', { dereference: true })
    const settings = { detached: true, cwd: '/', env: { PATH: process.env.PATH } }
    const child = spawn(${program}, ['600'], { ...settings, stdio: ['ignore', ${output}, 'ignore'] })
    writeFileSync('${file}', String(child.pid))
    child.unref()`)
  configure(root, { checks: [{ name: 'unit', run: leave }] })
  expect(await refusal()).toMatch(/left processes behind, which were ended: \d+ \S*sleep 600/)
  expect(identify(Number(readFileSync(file, 'utf8')))).toBeUndefined()
})

test('what takes longer than it may is ended, and is no pass', async () => {
  configure(root, {
    checks: [{ name: 'unit', run: nodeCommand('setInterval(() => undefined, 60000)'), timeout: '300ms' }],
  })
  expect(await refusal()).toContain('took longer than 0.3 s and was ended on')
})

test('hooks, filters and attributes of the worktree run nothing while a commit is checked out', async () => {
  const mark = path.join(newFolder('mark'), 'ran')
  const hook = `#!/bin/sh\ntouch ${mark}\ncat\n`
  const hooks = path.join(git(root, 'rev-parse', '--path-format=absolute', '--git-common-dir'), 'hooks')
  mkdirSync(hooks, { recursive: true })
  for (const name of ['post-checkout', 'reference-transaction', 'post-index-change'])
    writeFileSync(path.join(hooks, name), hook, { mode: 0o755 })
  commitFiles(workspace, { '.gitattributes': '* filter=evil\n' })
  const evil = path.join(newFolder('evil'), 'evil.sh')
  writeFileSync(evil, hook, { mode: 0o755 })
  rmSync(mark, { force: true })
  configure(root, { checks: [{ name: 'unit', run: 'true' }] })
  git(root, 'config', 'filter.evil.smudge', evil)
  const files = await fed(root, report, settings())
  expect([files.code, existsSync(mark)]).toEqual([0, false])
})

describe('interrupted', () => {
  const long = () =>
    nodeCommand(`import { spawn } from 'node:child_process'
      const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 60000)'])
      console.log('ready', process.pid, child.pid)
      setInterval(() => undefined, 60000)`)

  test.each(someOf(['SIGINT', 'SIGTERM', 'SIGKILL'] as const, 2))(
    'by %s nothing of it runs on, and nothing is left',
    async (signal) => {
      configure(root, { checks: [{ name: 'unit', run: long() }] })
      const running = startFed(root, report, settings())
      await endChecksBy(signal, running)
      expect(await fedDone(root, ['status', 'api'])).toContain('not run on')
      // what a killed run left goes with the next one
      configure(root, { checks: [{ name: 'unit', run: 'true' }] })
      await passing()
      expect(checkouts()).toEqual([])
    },
  )

  test('what a killed run left in a session of its own is ended by the next', async () => {
    const escape = nodeCommand(`import { spawn } from 'node:child_process'
      const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 60000)'], { detached: true, stdio: 'ignore' })
      console.log('escaped', child.pid)
      setInterval(() => undefined, 60000)`)
    configure(root, { checks: [{ name: 'unit', run: escape }] })
    const running = startFed(root, report, settings())
    const [, pid] = await until('the check to run', () => /escaped (\d+)/.exec(running.stderr()) ?? undefined)
    running.kill('SIGKILL')
    await running.ended
    expect(identify(Number(pid))).toBeDefined()
    configure(root, { checks: [{ name: 'unit', run: 'true' }] })
    await passing()
    expect(identify(Number(pid))).toBeUndefined()
  })
})

test('a link in the place of the records leads nowhere', async () => {
  configure(root, { checks: [{ name: 'unit', run: 'true' }] })
  const elsewhere = newFolder('elsewhere')
  symlinkSync(elsewhere, path.join(root, '.fed', 'checks'))
  const { code, stderr } = await fed(root, report, settings())
  expect([code, stderr]).toEqual([1, expect.stringContaining('is no folder but a link or a file; remove it')])
  expect(readdirSync(elsewhere)).toEqual([])
})

test('the system’s folder for temporary files may be reached by a link', async () => {
  const link = path.join(newFolder('link'), 'temporary')
  symlinkSync(temporary, link)
  configure(root, { checks: [{ name: 'unit', run: 'true' }] })
  await fedDone(root, report, { env: { TMPDIR: link } })
  expect(os.tmpdir()).not.toBe(link)
  expect(checkouts()).toEqual([])
})

test('fed doctor finds the checkout of a killed run, and removes nothing of one that goes on', async () => {
  const long = nodeCommand("console.log('ready')\nsetInterval(() => undefined, 60000)")
  configure(root, { checks: [{ name: 'unit', run: long }] })
  const running = startFed(root, report, settings())
  await until('the check to run', () => /ready/.exec(running.stderr()) ?? undefined)
  await fed(root, ['doctor', '--fix'], settings())
  expect(checkouts()).toHaveLength(1)
  running.kill('SIGKILL')
  await running.ended
  expect((await fed(root, ['doctor'], settings())).stdout).toContain(
    'a checkout that a killed run of checks left',
  )
  expect((await fed(root, ['doctor', '--fix'], settings())).stdout).toContain('the checkout was removed')
  expect(checkouts()).toEqual([])
})

test('what lies among temporary files under such a name is left alone', async () => {
  const strange = {
    'fed-check-file': 'a file',
    'fed-check-a/owner.json': '{',
    'fed-check-b/owner.json': '{"root":"/"}',
  }
  writeFiles(temporary, { ...strange, 'fed-check-c/kept': '' })
  symlinkSync(root, path.join(temporary, 'fed-check-d'))
  configure(root, { checks: [{ name: 'unit', run: 'true' }] })
  await passing()
  expect(checkouts()).toEqual(['a', 'b', 'c', 'd', 'file'].map((name) => `fed-check-${name}`))
})
