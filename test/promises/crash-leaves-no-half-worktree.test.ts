// Proves that an onboarding whose git was killed in the middle of making a worktree can be given again: the
// worktree is made anew, whole. It fails when the half one is taken for the team's workspace, files missing.
import path from 'node:path'
import { expect, test } from 'vitest'
import { git } from '../../src/platform/git/git.ts'
import { fedDone, newFederation } from '../support/fed.ts'
import { statusOf } from '../support/standing.ts'

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
