// Proves that what a killed git leaves in git's folder blocks nobody for ever: it is put out of the way when it is
// ten minutes old and no git is at work here, by the command that meets it or by the doctor, and said. Fails when a
// lock stands in the way for good.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { git } from '../../src/platform/git/git.ts'
import { standingOf } from '../../src/platform/git/leftover.ts'
import {
  fed,
  fedDone,
  fedJson,
  newFederation,
  newFolder,
  pathWith,
  startFed,
  systemPath,
} from '../support/fed.ts'
import { aged, asideOf, leave, minute, putAside } from '../support/git-leftovers.ts'
import { until } from '../support/until.ts'

const coding = (team: string) => ['onboard', team, '--archetype', 'coding']

let root: string
beforeEach(async () => {
  root = await newFederation()
})

describe('an old lock', () => {
  test('is put out of the way by the command that meets it, which says so', async () => {
    const lock = leave(root, 'refs/heads/fed/code.lock', 11 * minute, 'of a killed git')
    const { code, stderr } = await fed(root, coding('code'))
    expect(code).toBe(0)
    expect(stderr).toContain(`${lock}: a git that was killed left this lock; set aside as .git/fed-aside/`)
    expect(existsSync(lock)).toBe(false)
    expect(putAside(root)).toEqual(['refs.heads.fed.code.lock'])
    const [name = ''] = readdirSync(asideOf(root))
    expect(readFileSync(path.join(asideOf(root), name), 'utf8')).toBe('of a killed git')
    expect(await fedJson(root, ['status', 'code'])).toMatchObject({ state: 'preparing' })
  })

  test('holds up no offboarding, wherever it lies', async () => {
    await fedDone(root, coding('code'))
    writeFileSync(path.join(root, '.fed', 'worktrees', 'code', 'notes.txt'), 'uncommitted\n')
    await fedDone(root, ['archive', 'code'])
    git(root, 'config', 'branch.fed/code.description', 'a section to remove')
    git(root, 'pack-refs', '--all')
    const locks = [
      'refs/fed/rescue/code/1.lock',
      'refs/heads/fed/code.lock',
      'packed-refs.lock',
      'packed-refs.new',
      'config.lock',
    ]
    for (const name of locks) leave(root, name, 11 * minute)
    await fedDone(root, ['offboard', 'code'])
    expect(putAside(root).toSorted()).toEqual(locks.map((name) => name.replaceAll('/', '.')).toSorted())
    expect(git(root, 'show', 'refs/fed/rescue/code/1:notes.txt')).toBe('uncommitted')
    expect(git(root, 'branch', '--list', 'fed/*')).toBe('')
    expect(readFileSync(path.join(root, '.git', 'config'), 'utf8')).not.toContain('fed/code')
  })
})

describe('a young lock', () => {
  test('stays, and the command that meets it says for how long', async () => {
    const lock = leave(root, 'refs/heads/fed/code.lock', 0)
    const { code, stderr } = await fed(root, coding('code'))
    expect(code).toBe(1)
    expect(stderr).toContain(`fed: ${lock}: a git holds this lock, or was killed and left it`)
    expect(stderr).toMatch(
      / in 9 min \d+ s: give the command again then, or remove it if no git is at work here\n$/,
    )
    expect(existsSync(lock)).toBe(true)
    aged(lock, 11 * minute)
    await fedDone(root, coding('code'))
  })

  test('is left alone by the doctor', async () => {
    const lock = leave(root, 'refs/heads/fed/code.lock', 9.5 * minute)
    expect((await fed(root, ['doctor', '--fix'])).stdout).toMatch(/ in \d+ s/)
    expect(existsSync(lock)).toBe(true)
    expect(putAside(root)).toEqual([])
  })

  test('whose time is still to come ages from when somebody met it', async () => {
    const lock = leave(root, 'refs/heads/fed/code.lock', -60 * minute)
    expect((await fed(root, ['doctor'])).stdout).toContain(' in 10 min 0 s')
    expect(statSync(lock).mtimeMs).toBeGreaterThan(Date.now())
    expect((await fed(root, ['doctor', '--fix'])).stdout).toMatch(/ in (?:9 min \d+|10 min 0) s/)
    expect(statSync(lock).mtimeMs).toBeLessThanOrEqual(Date.now())
    aged(lock, -60 * minute)
    const { code, stderr } = await fed(root, coding('code'))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ in 9 min \d+ s: give the command again/)])
  })

  test('is waited for', async () => {
    const lock = leave(root, 'refs/heads/fed/code.lock', 0)
    const log = path.join(newFolder('log'), 'calls')
    const PATH = pathWith({ git: `echo "$@" >> '${log}'\nPATH='${systemPath}' exec git "$@"` })
    const command = startFed(root, coding('code'), { env: { PATH } })
    await until('git to meet the lock', () => {
      // where the lock lies is asked when git has met it
      return existsSync(log) && /worktree add[^]*--git-common-dir/.test(readFileSync(log, 'utf8'))
    })
    rmSync(lock)
    expect(await command.ended).toMatchObject({ code: 0 })
    expect(putAside(root)).toEqual([])
  })
})

test('a worktree half made at a time that is still to come ages from when somebody met it', async () => {
  const note = path.dirname(leave(root, 'worktrees/code/HEAD', -60 * minute))
  aged(note, -60 * minute)
  await fed(root, ['doctor', '--fix'])
  const standing = standingOf({ kind: 'worktree', path: note, common: path.join(root, '.git') })
  expect(standing?.ageMs).toBeGreaterThanOrEqual(0)
})

test('locks that make no command fail are found by the doctor, and put out of the way when asked', async () => {
  await fedDone(root, coding('code'))
  const names = [
    'config.lock',
    'HEAD.lock',
    'index.lock',
    'packed-refs.lock',
    'packed-refs.new',
    'shallow.lock',
    'objects/info/commit-graph.lock',
    'worktrees/code/index.lock',
    'worktrees/code/HEAD.lock',
    'logs/refs/heads/main.lock',
  ]
  const locks = names.map((name) => leave(root, name, 11 * minute))
  const young = leave(root, 'refs/heads/main.lock', minute)
  const found = await fed(root, ['doctor'])
  expect(found.code).toBe(1)
  for (const file of [...locks, young]) expect(found.stdout).toContain(path.relative(root, file))
  expect([...locks, young].every((file) => existsSync(file))).toBe(true)
  const fixed = await fed(root, ['doctor', '--fix'])
  expect(fixed.stdout.match(/^\+ git .+ set aside as /gm)).toHaveLength(locks.length)
  expect(locks.filter((file) => existsSync(file))).toEqual([])
  expect(existsSync(young)).toBe(true)
  expect(putAside(root).toSorted()).toEqual(names.map((name) => name.replaceAll('/', '.')).toSorted())
  expect(git(root, 'status', '--porcelain', '--untracked-files=no')).toBe('')
})
