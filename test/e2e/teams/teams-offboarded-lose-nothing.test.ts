// Proves that a team that is taken out of the federation is gone everywhere, and that nothing of its work is: what
// it left is in the archive, and commits and files that no branch has are kept in git, as the command says. It fails
// when work is destroyed, merged work is kept needlessly, or a refused command changes anything.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import type { Offboarded } from '../../../src/index.ts'
import { commitFile, putAwayTeam } from '../../support/coding-team.ts'
import {
  agent,
  fed,
  fedDone,
  fedJson,
  newFolder,
  newRepository,
  startFed,
  workspaceOf,
} from '../../support/fed.ts'
import { plainGit } from '../../support/plain-git.ts'
import { until } from '../../support/until.ts'

let root: string
let workspace: string
const offboard = ['offboard', 'api']
const registered = async () => (await fedJson<{ team: string }[]>(root, ['status'])).map(({ team }) => team)
const rescued = () => git(root, 'for-each-ref', '--format=%(refname)', 'refs/fed').split('\n').filter(Boolean)
const archived = (...names: string[]) => path.join(root, '.fed', 'archive', 'api', ...names)

beforeEach(async () => {
  ;({ root, workspace } = await putAwayTeam())
})

/** The worktree, its branch and its entry are gone. */
async function expectGone(): Promise<void> {
  expect(existsSync(workspace)).toBe(false)
  expect(readdirSync(path.dirname(workspace))).toEqual([])
  expect(git(root, 'worktree', 'list').split('\n')).toHaveLength(1)
  expect(git(root, 'branch', '--list', 'fed/*')).toBe('')
  expect(await registered()).toEqual([])
  expect(git(root, 'status', '--porcelain', '--untracked-files=no')).toBe('')
}

/** Nothing was taken apart; returns the one line. */
async function refusal(): Promise<string> {
  const { code, stdout, stderr } = await fed(root, offboard)
  expect([code, stdout]).toEqual([5, ''])
  expect(stderr).toMatch(/^fed: [^\n]+\n$/)
  expect(await registered()).toEqual(['api'])
  expect(existsSync(path.join(workspace, '.fed', 'lifecycle.json'))).toBe(true)
  expect(git(workspace, 'branch', '--show-current')).toBe('fed/api')
  expect(existsSync(archived())).toBe(false)
  expect(rescued()).toEqual([])
  return stderr
}

describe('what a branch has', () => {
  test('needs no rescue', async () => {
    commitFile(workspace, 'new.ts', '')
    git(root, 'merge', '--quiet', 'fed/api')
    expect(await fedJson<Offboarded>(root, offboard)).toMatchObject({ team: 'api', rescued: [] })
    await expectGone()
    expect(rescued()).toEqual([])
  })

  test('on another branch, here or on a remote, needs none either', async () => {
    const remote = path.join(newFolder('remote'), 'shop.git')
    plainGit(root, 'clone', '--quiet', '--bare', root, remote)
    git(root, 'remote', 'add', 'origin', remote)
    commitFile(workspace, 'new.ts', '')
    plainGit(workspace, 'push', '--quiet', 'origin', 'fed/api:main', 'fed/api')
    plainGit(root, 'fetch', '--quiet', 'origin')
    await fedDone(root, offboard)
    await expectGone()
    expect(rescued()).toEqual([])
  })

  test('only on its own branch of a remote is not merged, and kept', async () => {
    const remote = path.join(newFolder('remote'), 'shop.git')
    plainGit(root, 'clone', '--quiet', '--bare', root, remote)
    git(root, 'remote', 'add', 'origin', remote)
    const work = commitFile(workspace, 'new.ts', '')
    plainGit(workspace, 'push', '--quiet', '--set-upstream', 'origin', 'fed/api')
    await fedDone(root, offboard)
    await expectGone()
    expect(git(root, 'rev-parse', 'refs/fed/rescue/api/1')).toBe(work)
    expect(git(root, 'config', '--list', '--local')).not.toContain('branch.fed/api')
  })
})

describe('what no branch has is kept, and the command says where', () => {
  test('commits', async () => {
    commitFile(workspace, 'one.ts', '')
    const work = commitFile(workspace, 'two.ts', '')
    const { code, stdout, stderr } = await fed(root, offboard)
    expect([code, stdout]).toEqual([
      0,
      `api is offboarded; what it left is in ${archived()}\nkept under refs/fed/rescue/api/1: Write two.ts\n`,
    ])
    expect(stderr).toContain("'git switch -c <branch> refs/fed/rescue/api/1' brings such work back")
    await expectGone()
    expect(git(root, 'rev-parse', 'refs/fed/rescue/api/1')).toBe(work)
    git(root, 'switch', '--quiet', '-c', 'back', 'refs/fed/rescue/api/1')
    expect(existsSync(path.join(root, 'one.ts'))).toBe(true)
  })

  test('changed, staged, deleted and new files, but none that git ignores', async () => {
    commitFile(workspace, '.gitignore', '*.log\n')
    commitFile(workspace, 'gone.ts', '')
    rmSync(path.join(workspace, 'gone.ts'))
    writeFileSync(path.join(workspace, 'src', 'app.ts'), 'staged\n')
    git(workspace, 'add', '.')
    writeFileSync(path.join(workspace, 'src', 'app.ts'), 'not staged\n')
    mkdirSync(path.join(workspace, 'src', 'ünï code'))
    writeFileSync(path.join(workspace, 'src', 'ünï code', 'a\nb.ts'), 'new\n')
    writeFileSync(path.join(workspace, 'run.log'), 'noise\n')
    await fedDone(root, offboard)
    await expectGone()
    const [ref = '', ...others] = rescued()
    expect(others).toEqual([])
    const files = git(root, 'ls-tree', '-r', '-z', '--name-only', ref).split('\0').filter(Boolean)
    expect(files.toSorted()).toEqual(['.gitignore', 'src/app.ts', 'src/ünï code/a\nb.ts'])
    expect(git(root, 'show', `${ref}:src/app.ts`)).toBe('not staged')
    expect(git(root, 'show', `${ref}^2:src/app.ts`)).toBe('staged')
  })

  test('files that git was told to overlook', async () => {
    commitFile(workspace, 'quiet.ts', 'one\n')
    git(workspace, 'update-index', '--skip-worktree', 'quiet.ts')
    git(workspace, 'update-index', '--assume-unchanged', 'src/app.ts')
    writeFileSync(path.join(workspace, 'quiet.ts'), 'two\n')
    writeFileSync(path.join(workspace, 'src', 'app.ts'), 'three\n')
    expect(git(workspace, 'status', '--porcelain')).toBe('')
    await fedDone(root, offboard)
    await expectGone()
    expect(git(root, 'show', 'refs/fed/rescue/api/1:quiet.ts')).toBe('two')
    expect(git(root, 'show', 'refs/fed/rescue/api/1:src/app.ts')).toBe('three')
  })

  test('a merge that never ended', async () => {
    commitFile(workspace, 'src/app.ts', 'theirs\n')
    commitFile(root, 'src/app.ts', 'ours\n')
    expect(() => git(workspace, 'merge', '--quiet', 'main')).toThrow('git merge failed')
    await fedDone(root, offboard)
    await expectGone()
    expect(git(root, 'show', 'refs/fed/rescue/api/1:src/app.ts')).toMatch(
      /^<<<<<<< HEAD\ntheirs\n=======\nours\n/,
    )
  })

  test('commits on no branch, beside those of its branch', async () => {
    const onBranch = commitFile(workspace, 'one.ts', '')
    git(workspace, 'checkout', '--quiet', '--detach', 'main')
    const onNone = commitFile(workspace, 'two.ts', '')
    await fedDone(root, offboard)
    await expectGone()
    expect(rescued().map((ref) => git(root, 'rev-parse', ref))).toEqual([onNone, onBranch])
  })

  test('what hangs on another branch stays there', async () => {
    git(workspace, 'switch', '--quiet', '-c', 'another')
    const work = commitFile(workspace, 'one.ts', '')
    await fedDone(root, offboard)
    await expectGone()
    expect(rescued()).toEqual([])
    expect(git(root, 'rev-parse', 'another')).toBe(work)
  })
})

describe('it is refused, and nothing is taken apart,', () => {
  test('while the team works or is paused, with the command to type', async () => {
    await fedDone(root, ['restore', 'api'])
    const words = "'fed archive api' stops it and puts it away, and then 'fed offboard api'"
    expect(await refusal()).toContain(`api is paused; ${words}`)
    await fedDone(root, ['resume', 'api'])
    expect(await refusal()).toContain(`api is preparing; ${words}`)
  })

  test('while a repository lies in it that git does not know', async () => {
    renameSync(newRepository(), path.join(workspace, 'inner'))
    expect(await refusal()).toContain(
      `inner/ in it is a repository of its own, whose commits would be lost; move it out of ${workspace}`,
    )
  })

  test('while a submodule holds what its remote does not have', async () => {
    const inner = newRepository()
    const allowed = ['-c', 'protocol.file.allow=always']
    plainGit(workspace, ...allowed, 'submodule', '--quiet', 'add', inner, 'inner')
    git(workspace, 'commit', '--quiet', '--message', 'Use it')
    const submodule = path.join(workspace, 'inner')
    git(submodule, 'config', 'user.name', 'Tester')
    git(submodule, 'config', 'user.email', 'tester@example.org')
    commitFile(submodule, 'lost.ts', '')
    expect(await refusal()).toContain(`submodule ${submodule} holds changes or commits`)
    plainGit(submodule, 'push', '--quiet', 'origin', 'HEAD:refs/heads/kept')
    writeFileSync(path.join(submodule, 'lost.ts'), 'put away')
    git(submodule, 'stash', '--quiet')
    expect(await refusal()).toContain(`submodule ${submodule} holds changes or commits`)
    git(submodule, 'stash', 'drop', '--quiet')
    // a person may have git show no new files
    git(submodule, 'config', 'status.showUntrackedFiles', 'no')
    writeFileSync(path.join(submodule, 'new.ts'), 'added by nobody yet\n')
    expect(await refusal()).toContain(`submodule ${submodule} holds changes or commits`)
    rmSync(path.join(submodule, 'new.ts'))
    await fedDone(root, offboard)
    await expectGone()
  })

  test('while it is locked', async () => {
    git(root, 'worktree', 'lock', '--reason', 'somebody looks at it', workspace)
    expect(await refusal()).toContain(
      `it is locked (somebody looks at it); 'git worktree unlock ${workspace}' unlocks it`,
    )
  })

  test.skipIf(process.getuid?.() === 0)(
    'while a file cannot be read that would have to be kept',
    async () => {
      writeFileSync(path.join(workspace, 'secret.txt'), '')
      chmodSync(path.join(workspace, 'secret.txt'), 0)
      expect(await refusal()).toMatch(
        /what is uncommitted in it cannot be kept: .*secret\.txt.*Permission denied/,
      )
    },
  )

  test('while the registry names another place', async () => {
    const file = path.join(root, '.fed', 'team-registry.json')
    const elsewhere = newFolder('elsewhere')
    renameSync(path.join(workspace, '.fed'), path.join(elsewhere, '.fed'))
    writeFileSync(file, readFileSync(file, 'utf8').replace(workspace, elsewhere))
    const { code, stderr } = await fed(root, offboard)
    expect([code, stderr]).toEqual([
      5,
      expect.stringContaining(`api lives in ${elsewhere}, and not in ${workspace}`),
    ])
    expect(readdirSync(elsewhere)).toEqual(['.fed'])
  })
})

test('a team whose agent runs is archived, and goes when the agent is gone', async () => {
  await fedDone(root, ['onboard', 'docs', '--archetype', 'deliverable', '--mission', 'Explain it'])
  const running = startFed(root, ['launch', '--team', 'docs', '--agent', agent('waiting')])
  const log = path.join(workspaceOf(root, 'docs'), '.fed', 'sessions', '1-1.log')
  await until('the agent', () => existsSync(log) && readFileSync(log, 'utf8').includes('ready'))
  // it would end its agent as soon as the team is archived
  running.kill('SIGSTOP')
  await fedDone(root, ['archive', 'docs'])
  expect(await fed(root, ['offboard', 'docs'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('a session of this team already runs'),
  })
  running.kill('SIGCONT')
  await running.ended
  await fedDone(root, ['offboard', 'docs'])
  expect(await registered()).toEqual(['api'])
})

describe('what the team left', () => {
  test('is in the archive, as it was in the workspace', async () => {
    await fedDone(root, ['onboard', 'docs', '--archetype', 'deliverable'])
    await fedDone(root, ['run', 'Explain it', '--team', 'docs', '--agent', agent('good')])
    await fedDone(root, ['run', 'Explain more', '--team', 'docs', '--agent', agent('good')])
    const before = new Map(
      (readdirSync(workspaceOf(root, 'docs'), { recursive: true }) as string[]).map((name) => [name, true]),
    )
    expect(await fedDone(root, ['offboard', 'docs'])).toBe(
      `docs is offboarded; what it left is in ${path.join(root, '.fed', 'archive', 'docs')}\n`,
    )
    const archive = path.join(root, '.fed', 'archive', 'docs')
    const left = readdirSync(archive, { recursive: true }) as string[]
    expect(left.filter((name) => before.has(name)).length).toBeGreaterThan(30)
    expect([...before.keys()].filter((name) => !left.includes(name))).toEqual([])
    for (const name of ['deliverable.md', '.fed/missions/1/deliverable.md', '.fed/learnings.jsonl'])
      expect(readFileSync(path.join(archive, name), 'utf8')).not.toBe('')
    expect(existsSync(workspaceOf(root, 'docs'))).toBe(false)
  })

  test('of a worktree holds the deliverable, which is no uncommitted work', async () => {
    await fedDone(root, ['onboard', 'docs', '--archetype', 'deliverable', '--placement', 'worktree'])
    const place = path.join(path.dirname(workspace), 'docs')
    writeFileSync(path.join(place, 'deliverable.md'), '# It\n')
    await fedDone(root, ['archive', 'docs'])
    expect(await fedJson<Offboarded>(root, ['offboard', 'docs'])).toMatchObject({ rescued: [] })
    expect(readFileSync(path.join(root, '.fed', 'archive', 'docs', 'deliverable.md'), 'utf8')).toBe('# It\n')
  })
})

test('the same again says the same', async () => {
  commitFile(workspace, 'one.ts', '')
  const first = await fedJson<Offboarded>(root, offboard)
  expect(await fedJson<Offboarded>(root, offboard)).toEqual(first)
  expect(await fed(root, ['send', 'api', '--type', 'report', '--subject', 'late'])).toMatchObject({ code: 4 })
  expect(await fed(root, ['offboard', 'nobody'])).toMatchObject({ code: 4 })
  expect(await fed(root, ['offboard', 'meta'])).toMatchObject({ code: 2 })
})

test('two at once do it once', async () => {
  commitFile(workspace, 'one.ts', '')
  writeFileSync(path.join(workspace, 'two.ts'), '')
  const both = await Promise.all([fedJson<Offboarded>(root, offboard), fedJson<Offboarded>(root, offboard)])
  expect(both.map(({ team }) => team)).toEqual(['api', 'api'])
  await expectGone()
  expect(rescued()).toEqual(['refs/fed/rescue/api/1'])
  expect(readdirSync(path.join(root, '.fed', 'archive')).toSorted()).toEqual(['api', 'api.json'])
})
