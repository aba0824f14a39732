// Proves that an onboarding whose git was killed in the middle of making a worktree can be given again: the
// worktree is made anew, whole; and that a git which goes on by itself is left to it. It fails when the half one is taken
// for the team's workspace, files missing, or when it is taken away under a git that is still making it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { git } from '../../src/platform/git/git.ts'
import { fed, fedDone, newFederation, newFolder, startFed } from '../support/fed.ts'
import { statusOf } from '../support/standing.ts'
import { trust } from '../support/allow-everything.ts'
import { until } from '../support/until.ts'

test('a worktree that git left half made is made anew', async () => {
  const root = await newFederation()
  const workspace = path.join(root, '.fed', 'worktrees', 'api')
  // this is what git leaves: its lock, a branch, and none or some of the files
  git(root, 'worktree', 'add', '--quiet', '--no-checkout', '-b', 'fed/api', workspace)
  git(root, 'worktree', 'lock', '--reason', 'initializing', workspace)
  await fedDone(root, ['onboard', 'api', '--archetype', 'coding'])
  expect(git(workspace, 'status', '--porcelain')).toBe('')
  expect(git(workspace, 'branch', '--show-current')).toBe('fed/api')
  expect(git(root, 'worktree', 'list', '--porcelain')).not.toContain('locked')
  expect(await statusOf(root, 'api')).toMatchObject({ state: 'preparing' })
})

test('one that git goes on making when its onboarding is killed is waited for', async () => {
  const root = await newFederation()
  const workspace = path.join(root, '.fed', 'worktrees', 'api')
  const go = path.join(newFolder('gate'), 'go')
  const begun = `${go}.begun`
  git(
    root,
    'config',
    'filter.slow.smudge',
    `touch '${begun}'; while [ ! -e '${go}' ]; do sleep 0.05; done; cat`,
  )
  trust(root)
  writeFileSync(path.join(root, '.gitattributes'), '*.ts filter=slow\n')
  git(root, 'add', '.')
  git(root, 'commit', '--quiet', '--message', 'Slow files')
  const onboard = ['onboard', 'api', '--archetype', 'coding']
  const killed = startFed(root, onboard)
  await until('git at work', () => existsSync(begun))
  killed.kill('SIGKILL')
  await killed.ended
  const { code, stderr } = await fed(root, onboard)
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/git \(process \d+\) is still making this worktree/),
  ])
  writeFileSync(go, '')
  await until('a whole worktree', () => !git(root, 'worktree', 'list', '--porcelain').includes('locked'))
  await fedDone(root, onboard)
  expect(git(workspace, 'status', '--porcelain')).toBe('')
  expect(readFileSync(path.join(workspace, 'src', 'app.ts'), 'utf8')).toContain('answer')
})
