// Proves that what a killed git leaves in git's folder blocks nobody for ever: it is put out of the way when it is
// ten minutes old and no git is at work here, by the command that meets it or by the doctor, and said; whatever a
// living git may hold stays. Fails when a lock stands in the way for good, or when one is taken from its owner.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
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
import { aged, asideOf, minute, putAside } from '../support/git-leftovers.ts'
import { tries } from '../support/thorough.ts'
import { until } from '../support/until.ts'

const coding = (team: string) => ['onboard', team, '--archetype', 'coding']

let root: string
beforeEach(async () => {
  root = await newFederation()
})

/** Something in git's folder, as long untouched as is said. */
function leave(name: string, ageMs: number, text = ''): string {
  const file = path.join(root, '.git', name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  return aged(file, ageMs)
}

interface Work {
  /** git's folder, where it may hold a lock. */
  readonly common: string
  readonly cwd: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A git that has begun, and goes on until it is told to end. */
async function gitAtWork(args: readonly string[], cwd: string, env: Work['env'] = {}) {
  const child = spawn('git', [...args, 'check-ignore', '--stdin', '--verbose', '--non-matching'], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = once(child.stdout, 'data')
  child.stdin.write('name\n')
  await answers
  const ended = once(child, 'exit')
  return {
    pid: child.pid,
    end: () => {
      child.stdin.end()
      return ended
    },
  }
}

describe('an old lock', () => {
  test('is put out of the way by the command that meets it, which says so', async () => {
    const lock = leave('refs/heads/fed/code.lock', 11 * minute, 'of a killed git')
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
    for (const name of locks) leave(name, 11 * minute)
    await fedDone(root, ['offboard', 'code'])
    expect(putAside(root).toSorted()).toEqual(locks.map((name) => name.replaceAll('/', '.')).toSorted())
    expect(git(root, 'show', 'refs/fed/rescue/code/1:notes.txt')).toBe('uncommitted')
    expect(git(root, 'branch', '--list', 'fed/*')).toBe('')
    expect(readFileSync(path.join(root, '.git', 'config'), 'utf8')).not.toContain('fed/code')
  })

  test.each([
    ['by its working folder', () => ({ args: [], cwd: root })],
    [
      'by an argument',
      () => ({ args: [`--git-dir=${path.join(root, '.git')}`], cwd: newFolder('elsewhere') }),
    ],
  ])('stays while a git works here %s, which is named', async (_, how) => {
    const lock = leave('refs/heads/fed/code.lock', 11 * minute)
    const { args, cwd } = how()
    const other = await gitAtWork(args, cwd)
    const { stdout } = await fed(root, ['doctor', '--fix'])
    expect(stdout).toContain(`git is at work here (process ${other.pid})`)
    expect(existsSync(lock)).toBe(true)
    await other.end()
    await fedDone(root, coding('code'))
    expect(existsSync(lock)).toBe(false)
  })

  const apart: readonly (readonly [how: string, make: (elsewhere: string) => Work])[] = [
    [
      "in a work tree apart from git's folder",
      (elsewhere) => {
        const [top, own] = [path.join(elsewhere, 'top'), path.join(elsewhere, 'own')]
        git(elsewhere, 'init', '--quiet', '--separate-git-dir', own, top)
        return { common: own, cwd: top }
      },
    ],
    [
      'in a submodule',
      (elsewhere) => {
        git(root, 'commit', '--quiet', '--allow-empty', '--message', 'one')
        git(elsewhere, 'init', '--quiet')
        const allowed = ['-c', 'protocol.file.allow=always']
        git(elsewhere, ...allowed, 'submodule', '--quiet', 'add', '--name', 'part', root, 'part')
        return { common: path.join(elsewhere, '.git', 'modules', 'part'), cwd: path.join(elsewhere, 'part') }
      },
    ],
    [
      'in a work tree that only the configuration names',
      (elsewhere) => {
        git(root, 'config', 'core.worktree', elsewhere)
        // git goes there from its own folder
        return { common: path.join(root, '.git'), cwd: path.join(root, '.git') }
      },
    ],
    [
      'by a relative argument',
      (elsewhere) => ({
        common: path.join(root, '.git'),
        cwd: elsewhere,
        args: [`--git-dir=${path.relative(elsewhere, path.join(root, '.git'))}`],
      }),
    ],
    [
      'by a variable',
      (elsewhere) => ({
        common: path.join(root, '.git'),
        cwd: elsewhere,
        env: { GIT_DIR: path.relative(elsewhere, path.join(root, '.git')) },
      }),
    ],
  ]

  test.each(apart)('stays while a git works %s', async (_, make) => {
    const { common, cwd, args = [], env } = make(realpathSync(newFolder('apart')))
    const lock = path.join(common, 'HEAD.lock')
    writeFileSync(lock, '')
    aged(lock, 11 * minute)
    const other = await gitAtWork(args, cwd, env)
    const leftover = { kind: 'lock', path: lock, common } as const
    expect(standingOf(leftover)).toMatchObject({ holder: other.pid, isLeft: false })
    await other.end()
    expect(standingOf(leftover)).toMatchObject({ holder: undefined, isLeft: true })
  })
})

describe('a young lock', () => {
  test('stays, and the command that meets it says for how long', async () => {
    const lock = leave('refs/heads/fed/code.lock', 0)
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
    const lock = leave('refs/heads/fed/code.lock', 9.5 * minute)
    expect((await fed(root, ['doctor', '--fix'])).stdout).toMatch(/ in \d+ s/)
    expect(existsSync(lock)).toBe(true)
    expect(putAside(root)).toEqual([])
  })

  test('whose time is still to come ages from when somebody met it', async () => {
    const lock = leave('refs/heads/fed/code.lock', -60 * minute)
    expect((await fed(root, ['doctor'])).stdout).toContain(' in 10 min 0 s')
    expect(statSync(lock).mtimeMs).toBeGreaterThan(Date.now())
    expect((await fed(root, ['doctor', '--fix'])).stdout).toMatch(/ in (?:9 min \d+|10 min 0) s/)
    expect(statSync(lock).mtimeMs).toBeLessThanOrEqual(Date.now())
    aged(lock, -60 * minute)
    const { code, stderr } = await fed(root, coding('code'))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ in 9 min \d+ s: give the command again/)])
  })

  test('is waited for', async () => {
    const lock = leave('refs/heads/fed/code.lock', 0)
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
  const note = path.dirname(leave('worktrees/code/HEAD', -60 * minute))
  aged(note, -60 * minute)
  await fed(root, ['doctor', '--fix'])
  const standing = standingOf({ kind: 'worktree', path: note, common: path.join(root, '.git') })
  expect(standing?.ageMs).toBeGreaterThanOrEqual(0)
})

describe('of two that put the same lock out of the way', () => {
  const halting = fileURLToPath(new URL('../support/preload/halting.cjs', import.meta.url))

  /** `fed doctor --fix` that stands still between its look at a lock and what it does to it. */
  async function halted(points: { call: string; match: string }[]) {
    const folder = newFolder('halt')
    const [reached, go] = [path.join(folder, 'reached'), path.join(folder, 'go')]
    const env = {
      NODE_OPTIONS: `--require=${halting}`,
      FED_TEST_HALT: JSON.stringify({ points, reached, go }),
    }
    const { ended } = startFed(root, ['doctor', '--fix'], { env })
    await until('it to have looked', () => existsSync(reached))
    return {
      goOn: () => {
        writeFileSync(go, '')
        return ended
      },
    }
  }

  test('the slower never touches the one that a git has made meanwhile', async () => {
    const lock = leave('refs/heads/fed/code.lock', 11 * minute, 'dead')
    const slower = await halted([
      { call: 'renameSync', match: 'fed-aside' },
      { call: 'openSync', match: '\\.claim' },
    ])
    await fed(root, ['doctor', '--fix'])
    expect(existsSync(lock)).toBe(false)
    writeFileSync(lock, 'alive')
    const { ino, ctimeMs } = statSync(lock)
    await slower.goOn()
    // not even for a moment was it away
    expect(statSync(lock)).toMatchObject({ ino, ctimeMs })
    expect(readFileSync(lock, 'utf8')).toBe('alive')
    expect(putAside(root)).toEqual(['refs.heads.fed.code.lock'])
  })

  test('one waits for the other, and not for ever', async () => {
    const lock = leave('refs/heads/fed/code.lock', 11 * minute, 'dead')
    const slower = await halted([{ call: 'renameSync', match: 'fed-aside' }])
    await fedDone(root, coding('code'))
    expect(existsSync(lock)).toBe(false)
    const alive = leave('refs/heads/fed/code.lock', 0, 'alive')
    await slower.goOn()
    expect(readFileSync(alive, 'utf8')).toBe('alive')
    expect(putAside(root)).toEqual(['refs.heads.fed.code.lock'])
  })

  test('nobody loses a lock, however many are at it', async () => {
    const lock = path.join(root, '.git', 'refs', 'heads', 'main.lock')
    let lost = 0
    let made = 0
    const end = new AbortController()
    /** A git that makes its lock wherever there is none, holds it, and is killed. */
    const locker = async () => {
      while (!end.signal.aborted) {
        try {
          writeFileSync(lock, String(made), { flag: 'wx' })
        } catch {
          await new Promise((resolve) => setImmediate(resolve))
          continue
        }
        const { ino, ctimeMs } = statSync(lock)
        for (let look = 0; look < 20; look += 1) {
          const now = statSync(lock, { throwIfNoEntry: false })
          if (now?.ino !== ino || now.ctimeMs !== ctimeMs) lost += 1
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
        made += 1
        aged(lock, 11 * minute)
      }
    }
    const locking = locker()
    for (let round = 0; round < tries(2); round += 1)
      await Promise.all([1, 2, 3, 4].map(() => fed(root, ['doctor', '--fix'])))
    // each may have taken the gits of the others for the one that holds the lock; alone it meets none
    while (putAside(root).length === 0) await fed(root, ['doctor', '--fix'])
    end.abort()
    await locking
    expect(lost).toBe(0)
    const texts = readdirSync(asideOf(root)).map((name) =>
      readFileSync(path.join(asideOf(root), name), 'utf8'),
    )
    expect(new Set(texts).size).toBe(texts.length)
  })
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
  const locks = names.map((name) => leave(name, 11 * minute))
  const young = leave('refs/heads/main.lock', minute)
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
