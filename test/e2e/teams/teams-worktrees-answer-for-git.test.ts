// Proves that an onboarding into a worktree answers everything that git stumbles over with one message that says
// what is in the way, where, and what helps; that it leaves nothing behind; and that the command succeeds once
// the advice was followed. It fails when git's own failure comes through, a team or branch is left, or work is lost.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import type { RegistryEntry } from '../../../src/index.ts'
import { fed, fedDone, fedJson, newFederation, newFolder, newRepository } from '../../support/fed.ts'
import { plainGit } from '../../support/plain-git.ts'
import { someOf } from '../../support/thorough.ts'

const onboard = ['onboard', 'api', '--archetype', 'coding', '--agent', 'true']
let root: string
let workspace: string

beforeEach(async () => {
  root = await newFederation()
  workspace = path.join(root, '.fed', 'worktrees', 'api')
})

const branches = (dir = root) => git(dir, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads')
const teams = async (dir = root) =>
  (await fedJson<{ team: string }[]>(dir, ['status'])).map(({ team }) => team)

/** Onboards in vain: exit 2, one line, and everything is as it was. */
async function refusal(dir = root, command = onboard): Promise<string> {
  const [before, known] = [branches(dir), git(dir, 'worktree', 'list', '--porcelain')]
  const { code, stdout, stderr } = await fed(dir, command)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^fed: [^\n]+\n$/)
  expect(branches(dir)).toBe(before)
  expect(git(dir, 'worktree', 'list', '--porcelain')).toBe(known)
  expect(await teams(dir)).toEqual([])
  expect(readdirSync(path.join(dir, '.fed', 'teams'))).toEqual([])
  return stderr
}

/** The team is there, on its branch, with all of the code. */
async function onboarded(dir = root): Promise<string> {
  const { location } = await fedJson<RegistryEntry>(dir, onboard)
  expect(git(location, 'branch', '--show-current')).toBe('fed/api')
  expect(git(location, 'status', '--porcelain')).toBe('')
  return git(location, 'rev-parse', 'HEAD')
}

function commit(dir: string, words: string): string {
  git(dir, 'commit', '--quiet', '--allow-empty', '--message', words)
  return git(dir, 'rev-parse', 'HEAD')
}

describe('a branch of its name', () => {
  test('whose commits others have begins where the codebase is now', async () => {
    git(root, 'branch', 'fed/api')
    const head = commit(root, 'Go on')
    expect(await onboarded()).toBe(head)
  })

  test('that holds commits of its own is nobody’s to take', async () => {
    git(root, 'switch', '--quiet', '-c', 'fed/api')
    const work = commit(root, 'Work')
    git(root, 'switch', '--quiet', 'main')
    expect(await refusal()).toContain(
      "branch fed/api holds 1 commit that no other branch has; merge it, or keep it under another name ('git branch -m fed/api <name>')",
    )
    git(root, 'branch', '-m', 'fed/api', 'kept')
    expect(await onboarded()).toBe(git(root, 'rev-parse', 'main'))
    expect(git(root, 'rev-parse', 'kept')).toBe(work)
  })

  test('that is checked out elsewhere is named with its place', async () => {
    const elsewhere = path.join(newFolder('elsewhere'), 'api')
    git(root, 'worktree', 'add', '--quiet', '-b', 'fed/api', elsewhere)
    const place = realpathSync(elsewhere)
    expect(await refusal()).toContain(
      `its branch fed/api is checked out in ${place}; 'git -C ${place} switch <another>'`,
    )
    rmSync(elsewhere, { recursive: true })
    expect(await refusal()).toContain("which is gone; 'git worktree prune' forgets that folder")
    git(root, 'worktree', 'prune')
    await onboarded()
    git(root, 'switch', '--quiet', '-c', 'fed/web')
    expect(await fed(root, ['onboard', 'web', '--archetype', 'coding', '--agent', 'true'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`fed/web is checked out in ${realpathSync(root)};`),
    })
  })

  test.each(
    someOf(
      [
        ['above it', 'fed'],
        ['below it', 'fed/api/one'],
      ],
      3,
    ),
  )('cannot be made where a branch lies %s', async (_where, inTheWay) => {
    git(root, 'branch', inTheWay)
    expect(await refusal()).toContain(
      `branch ${inTheWay} is in the way of fed/api, because a branch cannot lie below another; rename it: 'git branch -m ${inTheWay} <name>'`,
    )
    git(root, 'branch', '-m', inTheWay, 'renamed')
    await onboarded()
  })
})

describe('a folder in its place', () => {
  test('with files stays as it is', async () => {
    mkdirSync(workspace, { recursive: true })
    writeFileSync(path.join(workspace, 'mine.txt'), 'mine')
    expect(await refusal()).toContain(
      'the folder holds files and is no worktree of this repository; move it away',
    )
    expect(readdirSync(workspace)).toEqual(['mine.txt'])
    renameSync(workspace, `${workspace}-moved`)
    await onboarded()
  })

  test('that is a repository of its own stays as it is', async () => {
    renameSync(newRepository(), (mkdirSync(path.dirname(workspace), { recursive: true }), workspace))
    expect(await refusal()).toContain('is no worktree of this repository; move it away')
    expect(existsSync(path.join(workspace, 'src', 'app.ts'))).toBe(true)
  })

  test('without anything is taken', async () => {
    mkdirSync(workspace, { recursive: true })
    await onboarded()
  })

  test.each([
    ['another branch', ['-b', 'other'], 'with branch other checked out'],
    ['no branch', ['--detach'], 'with no branch checked out'],
  ])('that is a worktree with %s is told so', async (_what, how, words) => {
    git(root, 'worktree', 'add', '--quiet', ...how, workspace)
    expect(await refusal()).toContain(`it is there already, ${words}`)
    git(root, 'worktree', 'remove', workspace)
    await onboarded()
  })

  test('that was removed is made again on its branch, with the commits of the team', async () => {
    git(root, 'worktree', 'add', '--quiet', '-b', 'fed/api', workspace)
    const work = commit(workspace, 'Work')
    rmSync(workspace, { recursive: true })
    expect(await onboarded()).toBe(work)
  })

  test('that is away and locked waits for whoever locked it', async () => {
    git(root, 'worktree', 'add', '--quiet', '-b', 'fed/api', workspace)
    git(root, 'worktree', 'lock', '--reason', 'on a stick', workspace)
    rmSync(workspace, { recursive: true })
    expect(await refusal()).toContain(
      `git keeps its place locked (on a stick), and the folder is not there; put the folder back, or 'git worktree unlock ${workspace}'`,
    )
    git(root, 'worktree', 'unlock', workspace)
    await onboarded()
  })
})

describe('the repository', () => {
  test('on no branch gives a reader its commit, and a coding team the branch that is named', async () => {
    const old = git(root, 'rev-parse', 'HEAD')
    commit(root, 'Go on')
    git(root, 'checkout', '--quiet', '--detach', old)
    expect((await fed(root, [...onboard, '--into', 'main'])).code).toBe(0)
    expect(git(workspace, 'rev-parse', 'HEAD')).toBe(git(root, 'rev-parse', 'main'))
    await fedDone(root, ['onboard', 'docs', '--archetype', 'deliverable', '--placement', 'worktree'])
    expect(git(root, 'rev-parse', 'fed/docs')).toBe(old)
  })

  test('with uncommitted changes keeps them, and says that they are not in the worktree', async () => {
    writeFileSync(path.join(root, 'src', 'app.ts'), 'export const answer = 43\n')
    const { code, stderr } = await fed(root, onboard)
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^it begins at commit [0-9a-f]+: the uncommitted change of \S+ is not in it\n$/),
    ])
    expect(git(root, 'diff', '--name-only')).toBe('src/app.ts')
    expect(git(workspace, 'status', '--porcelain')).toBe('')
    // fed's own configuration is not committed either, and is nobody's work
    git(root, 'commit', '--quiet', '--all', '--message', 'Count on')
    expect(git(root, 'status', '--porcelain')).toBe('?? federate.config.json')
    const alone = await fed(root, ['onboard', 'web', '--archetype', 'coding', '--agent', 'true'])
    expect([alone.code, alone.stderr]).toEqual([0, ''])
  })

  test('with submodules says how they come into the worktree, and may be one itself', async () => {
    const inner = newRepository()
    plainGit(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'inner')
    git(root, 'commit', '--quiet', '--message', 'Use it')
    expect((await fed(root, onboard)).stderr).toContain(
      `its submodules are empty: 'git -C ${workspace} submodule update --init --recursive' fills them`,
    )
    const nested = path.join(root, 'inner')
    await fedDone(newFolder('anywhere'), ['init', '--dir', nested])
    expect(await onboarded(nested)).toBe(git(inner, 'rev-parse', 'HEAD'))
  })

  test('inside of another one has worktrees of its own', async () => {
    const nested = path.join(root, 'vendor')
    renameSync(newRepository(), nested)
    await fedDone(nested, ['init'])
    await onboarded(nested)
    expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
  })

  test('without files is no place to work, a worktree of it is', async () => {
    const bare = path.join(newFolder('bare'), 'shop.git')
    plainGit(root, 'clone', '--quiet', '--bare', root, bare)
    expect(await fed(bare, ['init'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'is a bare repository, which has no files to work on; clone it, or make',
      ),
    })
    expect(
      await fed(path.join(root, '.git'), ['init', '--dir', path.join(root, '.git', 'refs')]),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining("is inside of git's own folder") })
    const tree = path.join(path.dirname(bare), 'shop')
    git(bare, 'worktree', 'add', '--quiet', tree)
    await fedDone(tree, ['init'])
    await onboarded(tree)
  })

  test('that holds a part of its files says how the rest comes, and is a place to work then', async () => {
    plainGit(root, 'config', 'uploadpack.allowFilter', 'true')
    const part = path.join(newFolder('part'), 'shop')
    const clone = ['clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${root}`, part]
    plainGit(path.dirname(part), ...clone)
    await fedDone(part, ['init'])
    expect(await refusal(part)).toContain("fed's git reaches no remote: your own 'git checkout'")
    plainGit(part, 'checkout', '--quiet', 'main')
    await onboarded(part)
  })

  test('whose configuration names programs runs none of them', async () => {
    const marker = path.join(newFolder('marker'), 'ran')
    const program = path.join(newFolder('program'), 'program')
    writeFileSync(program, `#!/bin/sh\necho ran >> '${marker}'\nexit 1\n`, { mode: 0o755 })
    const hooks = path.join(root, '.git', 'hooks')
    mkdirSync(hooks, { recursive: true })
    for (const name of ['post-checkout', 'post-index-change', 'reference-transaction'])
      copyFileSync(program, path.join(hooks, name))
    git(root, 'config', 'core.fsmonitor', program)
    await onboarded()
    await fedDone(root, ['status', 'api'])
    expect(existsSync(marker)).toBe(false)
  })

  test('worked on with a git that does not say what is locked is refused a worktree, and nothing else', async () => {
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    const old = newFolder('old-git')
    const says = `#!/bin/sh\n[ "$1" = --version ] && echo "git version 2.30.9" && exit\nexec ${real} "$@"\n`
    writeFileSync(path.join(old, 'git'), says, { mode: 0o755 })
    const env = { PATH: `${old}:${String(process.env.PATH)}` }
    expect(await fed(root, onboard, { env })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^fed: git 2\.30\.9 is too old for worktrees of teams: .*; install git 2\.31 or newer/,
      ),
    })
    expect((await fed(root, ['doctor'], { env })).stdout).toContain('git 2.30.9 is too old')
    await fedDone(root, ['onboard', 'docs', '--archetype', 'deliverable'], { env })
    await onboarded()
  })

  test('cannot be asked without git', async () => {
    const { code, stderr } = await fed(root, onboard, { env: { PATH: newFolder('no-programs') } })
    expect([code, stderr]).toEqual([
      1,
      'fed: there is no git on the PATH; install it, or correct the PATH, and give the command again\n',
    ])
    expect(await teams()).toEqual([])
  })
})

test('a coding team is refused a folder without a branch of its own, before anything is made', async () => {
  const { code, stderr } = await fed(root, [...onboard, '--placement', 'directory'])
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('--placement directory: a coding team commits, which needs a branch of its own'),
  ])
  expect(await teams()).toEqual([])
  expect(readdirSync(path.join(root, '.fed', 'teams'))).toEqual([])
  await fedDone(root, ['onboard', 'docs', '--archetype', 'deliverable', '--placement', 'worktree'])
  const { placementType } = await fedJson<RegistryEntry>(root, onboard)
  expect(placementType).toBe('worktree')
})
