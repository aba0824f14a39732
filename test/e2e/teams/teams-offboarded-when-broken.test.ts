// Proves that a team whose worktree is not what git made (removed by hand, without its .git, forgotten by git, cleaned
// of what git ignores) can still be taken out of the federation, and that its work is kept. It fails when work is
// destroyed or the person's is taken for the team's, or when such a team stays for ever.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import type { Offboarded } from '../../../src/index.ts'
import { commitFile, putAwayTeam } from '../../support/coding-team.ts'
import { fed, fedDone, fedJson } from '../../support/fed.ts'

let root: string
let workspace: string
const offboard = ['offboard', 'api']
const archived = (...names: string[]) => path.join(root, '.fed', 'archive', 'api', ...names)

beforeEach(async () => {
  ;({ root, workspace } = await putAwayTeam())
})

/** The worktree and its branch are gone. */
function expectGone(): void {
  expect(readdirSync(path.dirname(workspace))).toEqual([])
  expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
  expect(git(root, 'branch', '--list', 'fed/*')).toBe('')
}

test('commits of a worktree that somebody removed by hand are kept', async () => {
  const work = commitFile(workspace, 'one.ts', '')
  rmSync(workspace, { recursive: true })
  const { rescued: kept } = await fedJson<Offboarded>(root, offboard)
  expect(kept).toMatchObject([{ commit: work }])
  expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
})

test('those on no branch, as in the middle of a rebase, are kept as well', async () => {
  git(workspace, 'checkout', '--quiet', '--detach')
  const work = commitFile(workspace, 'one.ts', '')
  rmSync(workspace, { recursive: true })
  expect(await fedDone(root, offboard)).toMatch(/^api is offboarded; its workspace was gone already\n/)
  expect((await fedJson<Offboarded>(root, offboard)).rescued).toMatchObject([{ commit: work }])
  expectGone()
})

test('a worktree without its .git is kept as a whole, and nothing of the person is touched', async () => {
  writeFileSync(path.join(workspace, 'notes.txt'), 'mine')
  writeFileSync(path.join(root, 'src', 'app.ts'), 'the person edits')
  rmSync(path.join(workspace, '.git'))
  expect(await fedJson<Offboarded>(root, offboard)).toMatchObject({ rescued: [] })
  expect(readFileSync(archived('notes.txt'), 'utf8')).toBe('mine')
  expect(git(root, 'diff', '--name-only')).toBe('src/app.ts')
  expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
})

test('a team whose agent cleaned away what git ignores is told what is left to do, and its work is kept', async () => {
  await fedDone(root, ['restore', 'api'])
  writeFileSync(path.join(workspace, 'src', 'app.ts'), 'half')
  git(workspace, 'clean', '--quiet', '-fdx')
  for (const command of ['status', 'archive', 'pause']) {
    const { code, stderr } = await fed(root, [command, 'api'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(
        /^fed: api: \S+lifecycle\.json is gone with its versions .*'fed offboard api' takes the team out/,
      ),
    ])
  }
  const { rescued: kept } = await fedJson<Offboarded>(root, offboard)
  expect(git(root, 'show', `${kept[0]?.ref}:src/app.ts`)).toBe('half')
  expectGone()
})

test('a worktree that git forgot is kept as a whole', async () => {
  writeFileSync(path.join(workspace, 'notes.txt'), 'mine')
  rmSync(path.join(root, '.git', 'worktrees', 'api'), { recursive: true })
  await fedDone(root, offboard)
  expect(readFileSync(archived('notes.txt'), 'utf8')).toBe('mine')
  expect(existsSync(archived('.fed', 'lifecycle.json'))).toBe(true)
})
