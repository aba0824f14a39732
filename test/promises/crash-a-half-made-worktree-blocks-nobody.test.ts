// Proves that a worktree which a killed git left half made blocks nobody for ever and becomes no team's before it is
// whole: it is made anew, or put out of the way by the doctor, once it is ten minutes old. Fails when onboarding
// registers a team on a worktree in which no git works, or when a file in one is lost.
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { git } from '../../src/platform/git/git.ts'
import { fed, fedDone, newFederation } from '../support/fed.ts'
import { aged, minute, putAside } from '../support/git-leftovers.ts'
import { someOf } from '../support/thorough.ts'

const coding = (team: string) => ['onboard', team, '--archetype', 'coding']

let root: string
beforeEach(async () => {
  root = await newFederation()
})

describe('a worktree that a killed git left half made', () => {
  const notes = () => path.join(root, '.git', 'worktrees', 'code')
  const workspace = () => path.join(root, '.fed', 'worktrees', 'code')

  /** As git leaves it between two of its writes. */
  function halfMade(): void {
    git(root, 'worktree', 'add', '--quiet', '--no-checkout', '-b', 'fed/code', workspace())
    rmSync(path.join(notes(), 'index'), { force: true })
    writeFileSync(path.join(notes(), 'locked'), 'initializing')
    truncateSync(path.join(notes(), 'commondir'))
  }

  test('is made anew by the next onboarding, once it is old', async () => {
    halfMade()
    const { code, stderr } = await fed(root, coding('code'))
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/worktrees\/code: .* in \d+ min \d+ s/),
    })
    aged(path.join(notes(), 'commondir'), 11 * minute)
    await fedDone(root, coding('code'))
    expect(putAside(root)).toEqual(['worktrees.code'])
    expect(git(workspace(), 'status', '--porcelain')).toBe('')
    expect(git(workspace(), 'branch', '--show-current')).toBe('fed/code')
  })

  test('is put out of the way by the doctor, and blocks nobody meanwhile who needs no worktrees', async () => {
    halfMade()
    aged(path.join(notes(), 'commondir'), 11 * minute)
    expect((await fed(root, ['doctor'])).code).toBe(1)
    expect(existsSync(notes())).toBe(true)
    await fed(root, ['doctor', '--fix'])
    expect(existsSync(notes())).toBe(false)
    expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
    await fedDone(root, coding('code'))
  })
})

describe('a worktree whose making failed, whose git was killed while it cleared away', () => {
  const notes = () => path.join(root, '.git', 'worktrees', 'code')
  const workspace = () => path.join(root, '.fed', 'worktrees', 'code')

  /** As git leaves it between two of its removals. */
  function halfGone(...parts: string[]): void {
    git(root, 'worktree', 'add', '--quiet', '-b', 'fed/code', workspace())
    for (const part of ['index', ...parts]) rmSync(path.join(notes(), part))
    for (const name of readdirSync(notes())) aged(path.join(notes(), name), 11 * minute)
    aged(notes(), 11 * minute)
  }

  test.each(someOf(['commondir', 'HEAD', 'gitdir'], 1))(
    'makes no team of it without its %s',
    async (part) => {
      halfGone(part)
      const { code, stderr } = await fed(root, coding('code'))
      expect(code).toBe(2)
      expect(stderr).toContain("'fed doctor --fix'")
      await fed(root, ['doctor', '--fix'])
      await fedDone(root, coding('code'))
      expect(git(workspace(), 'status', '--porcelain')).toBe('')
      expect(git(workspace(), 'branch', '--show-current')).toBe('fed/code')
    },
  )

  test('gets its index, and keeps every file as it is', async () => {
    writeFileSync(path.join(root, 'src', 'more.ts'), 'export {}\n')
    git(root, 'add', 'src/more.ts')
    git(root, 'commit', '--quiet', '--message', 'more')
    halfGone()
    rmSync(path.join(workspace(), 'src', 'more.ts'))
    writeFileSync(path.join(workspace(), 'src', 'app.ts'), 'mine\n')
    await fedDone(root, coding('code'))
    expect(git(workspace(), 'status', '--porcelain')).toBe(' M src/app.ts')
    expect(readFileSync(path.join(workspace(), 'src', 'app.ts'), 'utf8')).toBe('mine\n')
  })
})

test('a whole worktree whose commondir is empty gets it back, with all that is staged in it', async () => {
  await fedDone(root, coding('code'))
  const workspace = path.join(root, '.fed', 'worktrees', 'code')
  writeFileSync(path.join(workspace, 'new.ts'), 'export {}\n')
  git(workspace, 'add', 'new.ts')
  const commondir = path.join(root, '.git', 'worktrees', 'code', 'commondir')
  truncateSync(commondir)
  aged(commondir, 11 * minute)
  await fedDone(root, coding('other'))
  expect(git(workspace, 'status', '--porcelain')).toBe('A  new.ts')
})
