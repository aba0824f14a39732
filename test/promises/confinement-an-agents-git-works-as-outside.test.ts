// Proves that a coding team's git within walls does all that git does, that its commits come out, and that what others
// do outside comes in. It fails when a command is refused, a commit is lost, an object is copied, or the worktree looks
// changed outside.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { privateObstacle } from '../../src/platform/private-git/unfit-repository.ts'
import { takeOver } from '../../src/platform/private-git/commit-takeover.ts'
import { newFolder } from '../support/fed.ts'
import { gitIn, writeFiles } from '../support/repository.ts'
import { commit, privateTeam, repository, team } from '../support/private-git.ts'
import { hasWalls } from '../support/walls.ts'

const work = { team, bases: [] }

describe.runIf(hasWalls)('within walls', () => {
  test('git does all that it does, and what is committed on the branch comes out', async () => {
    const { one, inside, outside, workTree } = await privateTeam()
    expect(inside('git status --porcelain; git log --format=%s')).toBe('Second\nFirst files')
    const first = inside(commit('one'))
    takeOver(one, work)
    expect(outside('rev-parse', 'fed/api')).toBe(first)
    inside(`
      git tag v2; git switch -q -c side; ${commit('two')}; git switch -q fed/api; git branch -q -d v0 2>/dev/null || true
      echo draft >> app.ts; git stash -q; git branch -q gone; git branch -q -D gone; git branch -q kept other
      git pack-refs --all; git gc -q; git fsck
      git worktree add -q /tmp/elsewhere -b another; git clone -q . /tmp/clone; git -C /tmp/clone log -1 --format=%s
      git rebase -q --onto HEAD~1 HEAD~1; git commit -q --amend -m Amended; git notes add -m note HEAD
      git merge -q --no-edit side; git stash pop -q; git checkout -q app.ts; git stash list`)
    const tip = inside('git rev-parse HEAD')
    takeOver(one, work)
    expect(outside('rev-parse', 'fed/api')).toBe(tip)
    expect(outside('merge-base', '--is-ancestor', first, 'fed/api@{1}')).toBe('')
    expect([outside('-C', workTree, 'status', '--porcelain'), inside('git status --porcelain')]).toEqual([
      '',
      '',
    ])
    expect(outside('for-each-ref', '--format=%(refname)')).not.toMatch(/side|v2|another|incoming/)
    expect(outside('fsck')).not.toMatch(/error|missing/)
  })

  test('an object is never copied, and nothing of the configuration runs or tells a secret', async () => {
    const root = repository()
    for (const [key, value] of [
      ['core.hooksPath', '/tmp/hooks'],
      ['core.fsmonitor', 'touch /tmp/ran'],
      ['alias.st', '!touch /tmp/ran'],
      ['credential.helper', '!touch /tmp/ran'],
      ['include.path', '/dev/null'],
      ['commit.gpgSign', 'true'],
      ['core.sshCommand', 'touch /tmp/ran'],
      ['diff.external', 'touch /tmp/ran'],
      ['remote.origin.url', 'https://me:secret@code.example/shop.git'],
      ['remote.ssh.url', 'ssh://git@code.example/shop.git'],
      ['http.extraHeader', 'Authorization: secret'],
    ] as const)
      gitIn(root, ['config', key, value])
    writeFileSync(path.join(root, '.git', 'hooks', 'pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const { one, inside } = await privateTeam(root)
    expect(inside('git config --list --local')).not.toMatch(/touch|hooks|secret|include|gpg|extra/i)
    expect(inside('git remote get-url origin; git remote get-url ssh')).toBe(
      'https://code.example/shop.git\nssh://git@code.example/shop.git',
    )
    inside(commit('one'))
    expect(inside('git count-objects')).toMatch(/^3 objects/)
    const names = readdirSync(path.join(one.place.git, 'objects'))
    expect(names.filter((name) => name.length === 2).length).toBeLessThanOrEqual(3)
  })

  test('the next session of a mission goes on with what it made, and sees what others did', async () => {
    const { one, inside, outside, root, begin } = await privateTeam()
    inside(
      `git switch -q -c side; ${commit('two')}; git tag mine; git stash list; git switch -q fed/api; echo x >> app.ts; git stash -q`,
    )
    const own = inside(commit('one'))
    const main = gitIn(root, ['commit-tree', '-p', 'main', '-m', 'By a person', 'main^{tree}']).trim()
    outside('update-ref', 'refs/heads/main', main)
    outside('branch', '-q', '-D', 'other')
    outside('branch', '-q', 'new')
    begin()
    expect(inside('git rev-parse HEAD main')).toBe(`${own}\n${main}`)
    expect(inside('git for-each-ref --format="%(refname)"').split('\n')).toEqual([
      ...['refs/heads/fed/api', 'refs/heads/main', 'refs/heads/new', 'refs/heads/side'],
      ...['refs/stash', 'refs/tags/mine', 'refs/tags/v1'],
    ])
    takeOver(one, work)
    expect(outside('rev-parse', 'fed/api')).toBe(own)
    // the person commits on the team's branch: it follows
    const person = gitIn(root, ['commit-tree', '-p', own, '-m', 'By a person', `${own}^{tree}`]).trim()
    outside('update-ref', 'refs/heads/fed/api', person)
    begin()
    expect(inside('git rev-parse HEAD; git status --porcelain')).toBe(person)
    // another mission begins with nothing of the one before
    expect(begin('second')).toEqual([])
    const kept = outside('for-each-ref', '--format=%(subject)', 'refs/fed/rescue/api').split('\n')
    expect(kept.toSorted()).toEqual(
      ['two', expect.stringContaining('fed/api')].toSorted((a) => (a === 'two' ? 1 : -1)),
    )
    expect(inside('git for-each-ref refs/stash refs/heads/side refs/tags/mine')).toBe('')
  })

  test('in the middle of a rebase it goes on in the next session', async () => {
    const { inside, begin } = await privateTeam()
    inside(`${commit('one')}; git switch -q -c side HEAD~1; echo other > one.txt; git add one.txt; git commit -q -m Other
      git switch -q fed/api; ! git rebase -q side 2>/dev/null; touch "$(git rev-parse --git-dir)/index.lock"`)
    begin()
    inside(
      'echo both > one.txt; git add one.txt; GIT_EDITOR=true git rebase --continue 2>&1; git log -1 --format=%s',
    )
    expect(inside('git branch --show-current')).toBe('fed/api')
  })

  test.each([
    ['sha256', () => repository('--object-format=sha256')],
    ['shallow', shallow],
    ['with objects that it borrows', borrowing],
    ['a linked worktree', linked],
    ['a submodule', submodule],
  ])('a repository that is %s works', async (_, make) => {
    const { one, inside, outside, workTree, begin } = await privateTeam(make())
    const tip = inside(`git log -1 --format=%s >&2; ${commit('one')}`)
    takeOver(one, work)
    expect([outside('rev-parse', 'fed/api'), outside('-C', workTree, 'status', '--porcelain')]).toEqual([
      tip,
      '',
    ])
    begin()
    expect(inside('git status --porcelain; git gc -q; git fsck 2>&1')).not.toMatch(/error|missing/)
    expect(readdirSync(one.place.folder).toSorted()).toEqual(['copied', 'git', 'home', 'mission'])
  })

  test('what a person ignores everywhere, and how he has lines end, is so inside', async () => {
    const root = repository()
    writeFileSync(path.join(root, '.git', 'info', 'exclude'), '*.log\n')
    gitIn(root, ['config', 'core.autocrlf', 'true'])
    const { inside, workTree } = await privateTeam(root)
    writeFileSync(path.join(workTree, 'a.log'), '')
    expect(readFileSync(path.join(workTree, 'app.ts'), 'utf8')).toContain('\r\n')
    expect(inside('touch app.ts; git status --porcelain')).toBe('')
  })
})

describe('what would come out otherwise is refused in words', () => {
  const lfs = (attributes: string) => {
    const root = repository()
    gitIn(root, ['config', 'filter.lfs.clean', 'git-lfs clean -- %f'])
    writeFiles(root, { '.gitattributes': attributes })
    gitIn(root, ['add', '.gitattributes'])
    return root
  }

  test.each([
    ['a partial clone', partial, /partial clone.*`git fetch --refetch --no-filter` makes it whole/],
    ['files of Git LFS', () => lfs('*.bin filter=lfs diff=lfs -text\n'), /the filter 'lfs', a program/],
    ['submodules', () => path.dirname(submodule()), /it has submodules, and what is committed in those/],
    ['a filter that no file has', () => lfs('*.bin -text\n'), undefined],
    ['nothing of these', repository, undefined],
  ])('%s', (_, make, words) => {
    const obstacle = privateObstacle(make())
    if (words === undefined) expect(obstacle).toBe(words)
    else expect(obstacle).toMatch(words)
  })
})

function partial(): string {
  const root = path.join(newFolder('partial'), 'shop')
  const from = repository()
  gitIn(from, ['config', 'uploadpack.allowFilter', 'true'])
  gitIn(path.dirname(root), ['clone', '-q', '--filter=blob:none', `file://${from}`, root])
  return root
}

function shallow(): string {
  const root = path.join(newFolder('shallow'), 'shop')
  gitIn(path.dirname(root), ['clone', '-q', '--depth', '1', `file://${repository()}`, root])
  return named(root)
}

function borrowing(): string {
  const root = path.join(newFolder('borrowing'), 'shop')
  const first = path.join(newFolder('first'), 'shop')
  gitIn(path.dirname(first), ['clone', '-q', '--shared', repository(), first])
  gitIn(path.dirname(root), ['clone', '-q', '--shared', first, root])
  return named(root)
}

function linked(): string {
  const root = path.join(newFolder('linked'), 'shop')
  gitIn(repository(), ['worktree', 'add', '-q', '-b', 'linked', root])
  return root
}

function submodule(): string {
  const root = repository()
  gitIn(root, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', repository(), 'part'])
  return named(path.join(root, 'part'))
}

function named(root: string): string {
  gitIn(root, ['config', 'user.name', 'A'])
  gitIn(root, ['config', 'user.email', 'a@example.org'])
  return root
}
