// Proves that the lock of a git that runs stays, however old it is and from wherever that git works: in a work tree
// apart, in a submodule, by a relative argument or a variable. Fails when a running git loses its lock, or when one
// stays for good after its git has ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { git } from '../../src/platform/git/git.ts'
import { standingOf } from '../../src/platform/git/leftover.ts'
import { fed, fedDone, newFederation, newFolder } from '../support/fed.ts'
import { aged, leave, minute } from '../support/git-leftovers.ts'
import { plainGit } from '../support/plain-git.ts'

let root: string
beforeEach(async () => {
  root = await newFederation()
})

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

test.each([
  ['by its working folder', () => ({ args: [], cwd: root })],
  ['by an argument', () => ({ args: [`--git-dir=${path.join(root, '.git')}`], cwd: newFolder('elsewhere') })],
])('stays while a git works here %s, which is named', async (_, how) => {
  const lock = leave(root, 'refs/heads/fed/code.lock', 11 * minute)
  const { args, cwd } = how()
  const other = await gitAtWork(args, cwd)
  const { stdout } = await fed(root, ['doctor', '--fix'])
  expect(stdout).toContain(`git is at work here (process ${other.pid})`)
  expect(existsSync(lock)).toBe(true)
  await other.end()
  await fedDone(root, ['onboard', 'code', '--archetype', 'coding'])
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
      plainGit(elsewhere, ...allowed, 'submodule', '--quiet', 'add', '--name', 'part', root, 'part')
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
