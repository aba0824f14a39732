// Proves that a federation that was moved refuses until the doctor has corrected what names the old place, and then goes
// on. Fails when a repair takes over worktrees of somebody else, or leaves something that names the old place.
import { existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { repairAll } from '../../../src/apps/doctor/examine.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { settleHere } from '../../../src/federation/after-move-or-copy.ts'
import { git } from '../../../src/platform/git/git.ts'
import { federationLayout } from '../../../src/protocol/folder-layout.ts'
import { everythingIn } from '../../support/damaged-federation.ts'
import { agent, fed, fedDone, fedJson, startFed, workspaceOf } from '../../support/fed.ts'
import { interrupted } from '../../support/interrupted-calls.ts'
import { everyCall } from '../../support/thorough.ts'
import { until } from '../../support/until.ts'
import {
  withTeams,
  send,
  worktreeOf,
  beside,
  copyAll,
  subjectsOf,
  errorsIn,
  worktreesOf,
} from '../../support/settled-federation.ts'

let root: string
beforeEach(async () => {
  root = await withTeams()
})

describe('a federation that was moved', () => {
  let moved: string
  beforeEach(() => {
    moved = beside(root, 'second')
    renameSync(root, moved)
  })

  test('refuses to act, is read all the same, and goes on when the doctor has corrected it', async () => {
    const { code, stderr } = await fed(worktreeOf(moved), ['report', 'plan-ready', '--body', 'x'])
    expect([code, stderr]).toEqual([
      5,
      `fed: this federation was moved: it was set up in ${root}, and lies in ${moved} now; nothing was changed: 'fed doctor --fix' corrects what names the old place; of a copy, 'fed init --anew' makes a new one\n`,
    ])
    expect((await fed(moved, ['init'])).code).toBe(5)
    expect(await fedJson(moved, ['status'])).toMatchObject([{ team: 'docs' }, { team: 'api' }])
    expect(await errorsIn(moved)).toMatchObject([{ area: 'federation', repair: expect.any(Function) }])
    await fedDone(moved, ['doctor', '--fix'])
    expect(worktreesOf(moved)).toEqual([moved, worktreeOf(moved)])
    expect(git(worktreeOf(moved), 'status', '--porcelain', '--branch')).toBe('## fed/api\n?? draft.ts')
    expect(new Federation(moved).registry.read().teams.map(({ location }) => location)).toEqual([
      workspaceOf(moved, 'docs'),
      worktreeOf(moved),
    ])
    await fedDone(moved, ['launch', 'docs', '--agent', agent('good')])
    expect(await fedJson(moved, ['status', 'docs'])).toMatchObject({ state: 'complete', healthy: true })
    expect(existsSync(root)).toBe(false)
  })

  test('two doctors at once correct it once, and neither finds it wrong after that', async () => {
    const both = await Promise.all([repairAll(moved), repairAll(moved)])
    expect(both.flatMap(({ fixed }) => fixed)).toHaveLength(1)
    expect(both.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'error'))).toEqual(
      [],
    )
  })

  test('and that no record tells where it was is corrected as well', async () => {
    rmSync(federationLayout(moved).record)
    expect((await fed(moved, ['pause', 'docs'])).code).toBe(5)
    await fedDone(moved, ['doctor', '--fix'])
    await fedDone(moved, ['pause', 'docs'])
  })

  test('nothing but what names the old place is rewritten', () => {
    const before = everythingIn(moved)
    settleHere(moved)
    const changed = [...everythingIn(moved)].flatMap(([file, text]) =>
      before.get(file) === text ? [] : [file],
    )
    expect(changed.toSorted()).toEqual([
      '.fed/federation.json',
      '.fed/team-registry.d/4.json',
      '.fed/team-registry.json',
      '.fed/teams/docs/.fed/team.json',
      '.fed/worktrees/api/.fed/team.json',
      '.fed/worktrees/api/.git',
      '.git/worktrees/api/gitdir',
    ])
  })

  test('is corrected however often that is killed', async () => {
    const { first, stride } = everyCall(5)
    const target = beside(root, 'target')
    for (let call = first, goesOn = true; goesOn; call += stride) {
      rmSync(target, { recursive: true, force: true })
      copyAll(moved, target)
      goesOn = await interrupted({ call, when: 'before' }, async () => void settleHere(target))
      if (goesOn) settleHere(target)
      expect(await errorsIn(target)).toEqual([])
      expect(worktreesOf(target)).toEqual([target, worktreeOf(target)])
      expect(new Federation(target).mailbox('docs').all()).toHaveLength(1)
    }
  })

  test('a worktree of a person finds it again, and what has taken its old place stays as it is', async () => {
    renameSync(moved, root)
    const own = beside(root, 'own')
    git(root, 'worktree', 'add', '--quiet', own)
    renameSync(root, moved)
    // another federation is made where it was
    renameSync(await withTeams(), root)
    settleHere(root)
    const before = everythingIn(root)
    expect(await fedJson(moved, ['doctor', '--fix'])).toMatchObject({ healthy: true })
    expect(git(own, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe('own')
    expect(everythingIn(root)).toEqual(before)
    await send(new Federation(root), 'Here')
    await send(new Federation(moved), 'There')
    expect([subjectsOf(root), subjectsOf(moved)]).toEqual([
      ['Explain it', 'Here'],
      ['Explain it', 'There'],
    ])
  })

  test('takes nothing over from a repository that it was copied from', () => {
    renameSync(moved, root)
    const own = beside(root, 'own')
    git(root, 'worktree', 'add', '--quiet', own)
    copyAll(root, moved)
    rmSync(path.join(root, '.fed'), { recursive: true })
    const before = [...everythingIn(root), ...everythingIn(own)]
    expect(settleHere(moved)).toBe(2)
    expect([...everythingIn(root), ...everythingIn(own)]).toEqual(before)
    expect(git(worktreeOf(moved), 'status', '--porcelain')).toBe('?? draft.ts')
  })

  test('while a watch and a launch go on, both say so', async () => {
    renameSync(moved, root)
    const watch = startFed(root, ['monitor', '--watch', '--interval', '20ms'])
    await until('a cycle', () => watch.stdout().includes('docs'))
    const launch = startFed(root, ['launch', 'docs', '--agent', agent('waiting')])
    await until('an agent', () => launch.stderr().includes('session 1'))
    renameSync(root, moved)
    await until('what is wrong', () =>
      watch.stderr().includes('the federation was moved or removed meanwhile'),
    )
    watch.kill('SIGINT')
    launch.kill('SIGINT')
    const { stderr } = await launch.ended
    expect(stderr).toContain('fed: ')
    expect(stderr).not.toMatch(/unexpected|\n {4}at /)
    await watch.ended
    await fedDone(moved, ['doctor', '--fix'])
    expect(await fedJson(moved, ['status', 'docs'])).toMatchObject({ state: 'preparing' })
  })
})
