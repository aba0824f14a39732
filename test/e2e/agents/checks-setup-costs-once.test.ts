// Proves that what prepares a checkout is run once for the same manifests and lock files, kept whole or not at all, and
// copied so that no check can change it. It fails when a failed or killed setup is kept, when another lock file gets
// what an earlier one made, or when what one check writes reaches the next.
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import { identify } from '../../../src/platform/process/process-identity.ts'
import { commitFiles, configure, nodeCommand } from '../../support/checks.ts'
import { codingTeam } from '../../support/coding-team.ts'
import { fed, fedDone, newFolder, startFed } from '../../support/fed.ts'
import { until } from '../../support/until.ts'

let root: string
let workspace: string
let trace: string

beforeEach(async () => {
  ;({ root, workspace } = await codingTeam())
  trace = path.join(newFolder('trace'), 'trace')
  writeFileSync(trace, '')
})

const report = ['report', 'tests-passed', '--team', 'api']
const store = () => path.join(root, '.fed', 'setup')
const kept = () => (existsSync(store()) ? readdirSync(store()) : [])
const setups = () => readFileSync(trace, 'utf8').split('\n').filter(Boolean)

/** A setup that notes each of its runs and makes a module, a program by a link, and a folder nobody may write into. */
const making = (more = '') =>
  nodeCommand(`import { appendFileSync, chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
    appendFileSync('${trace}', process.pid + '\\n')
    mkdirSync('node_modules/.bin', { recursive: true })
    mkdirSync('node_modules/tool')
    writeFileSync('node_modules/tool/tool.js', 'original')
    symlinkSync('../tool/tool.js', 'node_modules/.bin/tool')
    mkdirSync('node_modules/cache')
    writeFileSync('node_modules/cache/entry', '')
    chmodSync('node_modules/cache', 0o500)
    writeFileSync('elsewhere.txt', '')
    ${more}`)

const looking = () =>
  nodeCommand(`import { appendFileSync, existsSync, lstatSync, readFileSync } from 'node:fs'
    if (!lstatSync('node_modules/.bin/tool').isSymbolicLink()) process.exit(2)
    if (readFileSync('node_modules/.bin/tool', 'utf8') !== 'original') process.exit(3)
    if (existsSync('elsewhere.txt')) process.exit(4)
    appendFileSync('node_modules/.bin/tool', ', changed')`)

test('it runs once, is copied with its links as they are, and nothing that a check writes reaches it', async () => {
  const look = looking()
  const checks = [
    { name: 'one', run: look },
    { name: 'two', run: look },
  ]
  configure(root, { checks, setup: { run: making() } })
  await fedDone(root, report)
  commitFiles(workspace, { 'src/later.ts': '' })
  commitFiles(workspace, { 'package-lock.json': '{}' })
  const [first] = setups()
  expect(setups()).toEqual([first])
  await fedDone(root, report)
  expect(setups()).toHaveLength(2)
  commitFiles(workspace, { 'src/last.ts': '' })
  await fedDone(root, report)
  expect(setups()).toHaveLength(2)
  for (const name of kept()) {
    const modules = path.join(store(), name, '0')
    expect(readlinkSync(path.join(modules, '.bin', 'tool'))).toBe('../tool/tool.js')
    expect(readFileSync(path.join(modules, 'tool', 'tool.js'), 'utf8')).toBe('original')
    expect(statSync(path.join(modules, 'tool', 'tool.js')).nlink).toBe(1)
    expect(lstatSync(path.join(modules, 'cache')).mode & 0o777).toBe(0o500)
  }
})

test('another command, or another list of what is kept, makes another', async () => {
  const checks = [{ name: 'one', run: 'true' }]
  commitFiles(workspace, { 'package-lock.json': '{}' })
  const run = making()
  configure(root, { checks, setup: { run } })
  await fedDone(root, report)
  configure(root, { checks, setup: { run, keep: ['node_modules/tool'] } })
  await fedDone(root, report)
  configure(root, { checks, setup: { run: `${run} --again` } })
  await fedDone(root, report)
  expect([setups().length, kept().length]).toEqual([3, 3])
})

test('what its inputs name makes another when it changes, files and folders', async () => {
  const setup = { run: making(), inputs: ['schema.prisma', 'scripts'] }
  configure(root, { checks: [{ name: 'one', run: 'true' }], setup })
  const files = ['package-lock.json', 'schema.prisma', 'scripts/deep/build.sh', 'scripts.txt']
  const made: number[] = []
  for (const file of files) {
    commitFiles(workspace, { [file]: 'new' })
    await fedDone(root, report)
    made.push(setups().length)
  }
  expect(made).toEqual([1, 2, 3, 3])
})

test('one that failed is not kept, every check names it, and it is run again', async () => {
  configure(root, {
    checks: [
      { name: 'one', run: 'true' },
      { name: 'two', run: 'true' },
    ],
    setup: { run: making('process.exit(9)') },
  })
  for (const attempt of [1, 2]) {
    const { code, stderr } = await fed(root, [...report, '--quiet'])
    expect(code).toBe(5)
    expect(stderr.match(/did not begin, because its setup '[^']*' exited 9/g)).toHaveLength(2)
    expect([setups().length, kept()]).toEqual([attempt, []])
  }
})

test('one that took too long, or left a process behind, is not kept', async () => {
  const checks = [{ name: 'one', run: 'true' }]
  const forEver = 'setInterval(() => undefined, 60000)'
  configure(root, { checks, setup: { run: making(forEver), timeout: '500ms' } })
  expect((await fed(root, report)).stderr).toContain('took longer than 0.5 s and was ended')
  const leaving = `const { spawn } = await import('node:child_process')
    spawn(process.execPath, ['-e', '${forEver}'], { detached: true, stdio: 'ignore' }).unref()`
  configure(root, { checks, setup: { run: making(leaving) } })
  expect((await fed(root, report)).stderr).toContain('left processes behind')
  expect(kept()).toEqual([])
})

test('one that was killed is not kept, and nothing of it stays after the next', async () => {
  const checks = [{ name: 'one', run: looking() }]
  configure(root, { checks, setup: { run: making('setInterval(() => undefined, 60000)') } })
  const running = startFed(root, report)
  const [pid] = await until('the setup to run', () => (setups().length > 0 ? setups() : undefined))
  running.kill('SIGKILL')
  await running.ended
  await until('the setup to end', () => identify(Number(pid)) === undefined)
  expect(kept()).toEqual([])
  // as a process leaves it that is killed while it copies
  configure(root, { checks, setup: { run: making() } })
  await fedDone(root, report)
  const [digest = ''] = kept()
  const aside = path.join(store(), '.00000000-0000-4000-8000-000000000000.999999999.tmp')
  writeFileSync(aside, '')
  commitFiles(workspace, { 'package-lock.json': '{}' })
  await fedDone(root, report)
  expect([kept().length, kept().includes(digest), existsSync(aside)]).toEqual([2, true, false])
})

test('two that make the same at once do not collide', async () => {
  commitFiles(workspace, { 'package-lock.json': '{}' })
  const gate = path.join(newFolder('gate'), 'open')
  const waiting = `while (!existsSync('${gate}')) await new Promise((resolve) => setTimeout(resolve, 5))`
  configure(root, {
    checks: [{ name: 'one', run: looking() }],
    setup: { run: making(`const { existsSync } = await import('node:fs')\n${waiting}`) },
  })
  const both = [startFed(root, report), startFed(root, report)]
  await until('both setups to run', () => setups().length === 2)
  writeFileSync(gate, '')
  const ends = await Promise.all(both.map(({ ended }) => ended))
  expect(ends.map(({ code, stderr }) => [code, /fed: /.test(stderr)])).toEqual([
    [0, false],
    [0, false],
  ])
  expect(kept()).toHaveLength(1)
})

test('what the commit has itself is never written over, nor anything through a link that it holds', async () => {
  const checks = [{ name: 'one', run: 'true' }]
  configure(root, { checks, setup: { run: 'true', keep: ['src'] } })
  const tracked = await fed(root, report)
  expect([tracked.code, tracked.stderr]).toEqual([
    5,
    expect.stringContaining('setup.keep: the commit has src itself'),
  ])
  const outside = newFolder('outside')
  symlinkSync(outside, path.join(workspace, 'packages'))
  git(workspace, 'add', 'packages')
  commitFiles(workspace, { 'package-lock.json': '{}' })
  const modules =
    "import { mkdirSync, rmSync } from 'node:fs'\nrmSync('packages')\nmkdirSync('packages/a', { recursive: true })"
  configure(root, { checks, setup: { run: nodeCommand(modules), keep: ['packages/a'] } })
  const linked = await fed(root, report)
  expect([linked.code, linked.stderr]).toEqual([
    5,
    expect.stringContaining('packages is no folder but a link or a file'),
  ])
  expect(readdirSync(outside)).toEqual([])
})
