// Proves that a federation is set up once and found again from wherever one stands. It fails when setting up
// changes what was there, hides too little or too much from git, or when a command works on another federation.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { FederationNotFoundError } from '../../../src/errors/team-errors.ts'
import { Federation } from '../../../src/federation/federation.ts'
import type { RegistryEntry } from '../../../src/index.ts'
import { git } from '../../../src/platform/git/git.ts'
import { findRoot } from '../../../src/federation/root.ts'
import { newFederation as copiedFederation } from '../../support/federation.ts'
import { agent, fed, fedDone, fedJson, newFolder, newRepository, workspaceOf } from '../../support/fed.ts'

/** A repository of its own in this folder. */
function newRepositoryIn(dir: string): string {
  mkdirSync(path.dirname(dir), { recursive: true })
  renameSync(newRepository(), dir)
  return dir
}

/** Every file below a folder with its content and the time of its last change. */
function contentOf(dir: string): Map<string, string> {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((name) =>
    statSync(path.join(dir, name)).isFile(),
  )
  return new Map(
    files.map((name) => {
      const file = path.join(dir, name)
      return [name, `${statSync(file).mtimeMs} ${readFileSync(file, 'utf8')}`]
    }),
  )
}

function excludedIn(root: string): string[] {
  const file = path.join(root, '.git', 'info', 'exclude')
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.includes('.fed'))
}

test('a workspace that its federation does not know leads nowhere', async () => {
  const victim = newRepository()
  await fedDone(victim, ['init'])
  await fedDone(victim, ['onboard', 'docs', '--archetype', 'deliverable'])
  const clone = newRepository()
  mkdirSync(path.join(clone, '.fed'))
  writeFileSync(
    path.join(clone, '.fed', 'team.json'),
    JSON.stringify({ format: 'fed-team-1', team: 'docs', archetype: 'deliverable', root: victim }),
  )
  const { code } = await fed(clone, ['alert', 'information-missing', '--body', 'x'])
  expect(code).toBe(4)
  expect(await fedJson(victim, ['status', 'docs'])).toMatchObject({ state: 'preparing' })
})

test('git answers for the folder, also where a hook’s environment names another repository', () => {
  const root = newRepository()
  const other = newRepository()
  const own = git(root, 'rev-parse', '--absolute-git-dir')
  process.env.GIT_DIR = path.join(other, '.git')
  try {
    expect(git(root, 'rev-parse', '--absolute-git-dir')).toBe(own)
  } finally {
    delete process.env.GIT_DIR
  }
})

describe('setting up', () => {
  test('a second time changes nothing', async () => {
    const root = newRepository()
    expect(await fedJson(root, ['init'])).toMatchObject({ root, created: true })
    expect(excludedIn(root)).toEqual(['/.fed/'])
    expect(git(root, 'status', '--porcelain')).toBe('?? federate.config.json')
    const before = contentOf(root)
    mkdirSync(path.join(root, 'src', 'deep'))
    expect(await fedJson(path.join(root, 'src', 'deep'), ['init'])).toEqual({
      root,
      created: false,
      renewed: false,
    })
    expect(await fedDone(root, ['init', '--dir', 'src/deep'])).toContain('nothing was changed')
    expect(contentOf(root)).toEqual(before)
  })

  test('what is missing is made again, what a person wrote stays', async () => {
    const root = newRepository()
    const config = '{ "deliverable": "report.md" }'
    writeFileSync(path.join(root, 'federate.config.json'), config)
    writeFileSync(path.join(root, '.git', 'info', 'exclude'), '*.log')
    await fedDone(root, ['init'])
    expect(readFileSync(path.join(root, 'federate.config.json'), 'utf8')).toBe(config)
    expect(readFileSync(path.join(root, '.git', 'info', 'exclude'), 'utf8')).toBe('*.log\n/.fed/\n')
    rmSync(path.join(root, '.fed', 'signals'), { recursive: true })
    expect(await fedJson(root, ['init'])).toMatchObject({ root, created: true })
  })

  test('a worktree shares its repository’s exclude, and a team’s worktree is no federation of its own', async () => {
    const root = newRepository()
    await fedDone(root, ['init'])
    await fedDone(root, ['onboard', 'api', '--archetype', 'coding'])
    const worktree = path.join(newFolder('worktrees'), 'side')
    git(root, 'worktree', 'add', '--quiet', worktree)
    expect(await fedJson(worktree, ['init'])).toMatchObject({ root: worktree, created: true })
    expect(excludedIn(root)).toEqual(['/.fed/'])
    expect(git(worktree, 'status', '--porcelain')).toBe('?? federate.config.json')
    const team = path.join(root, '.fed', 'worktrees', 'api')
    expect(await fedJson(team, ['init'])).toEqual({ root, created: false, renewed: false })
    expect(git(team, 'status', '--porcelain')).toBe('')
  })

  test('a fresh clone that holds only the configuration works at once', async () => {
    const origin = newRepository()
    await fedDone(origin, ['init'])
    git(origin, 'add', '.')
    git(origin, 'commit', '--quiet', '--message', 'Configure')
    const clone = path.join(newFolder('clones'), 'clone')
    execFileSync('git', ['clone', '--quiet', origin, clone])
    await fedDone(clone, ['onboard', 'docs', '--archetype', 'deliverable', '--mission', 'Explain it'])
    expect(await fedJson(clone, ['status', 'docs'])).toMatchObject({ mission: { subject: 'Explain it' } })
    expect(git(clone, 'status', '--porcelain')).toBe('')
  })

  test('a federation in a folder of a repository hides that folder’s files', async () => {
    const root = newRepository()
    const part = path.join(root, 'packages', 'shop')
    mkdirSync(part, { recursive: true })
    writeFileSync(path.join(part, 'federate.config.json'), '{}')
    await fedDone(part, ['onboard', 'docs', '--archetype', 'deliverable'])
    expect(excludedIn(root)).toEqual(['/packages/shop/.fed/', '/.fed/'])
    expect(git(root, 'status', '--porcelain', '--untracked-files=all')).toBe(
      '?? packages/shop/federate.config.json',
    )
  })
})

describe('finding', () => {
  let root: string
  let other: string

  beforeAll(async () => {
    root = newRepository()
    await fedDone(root, ['init'])
    for (const [team, archetype] of [
      ['docs', 'deliverable'],
      ['api', 'coding'],
    ] as const) {
      await fedDone(root, ['onboard', team, '--archetype', archetype])
    }
    git(root, 'add', '.')
    git(root, 'commit', '--quiet', '--message', 'Configure')
    // a neighbour whose name begins like the first's
    other = `${root}-other`
    mkdirSync(other)
  })

  const teamsFrom = async (cwd: string, args: string[] = [], env: Record<string, string> = {}) =>
    (await fedJson<{ team: string }[]>(cwd, ['status', ...args], { env })).map(({ team }) => team)

  test('from a subfolder, a workspace, a worktree; by --dir and FED_ROOT', async () => {
    const worktree = path.join(root, '.fed', 'worktrees', 'api')
    // the worktree checks out a copy of the configuration as well
    git(worktree, 'reset', '--hard', '--quiet', 'main')
    const found = await Promise.all([
      teamsFrom(path.join(root, 'src')),
      teamsFrom(path.join(workspaceOf(root, 'docs'), '.fed', 'signals')),
      teamsFrom(path.join(worktree, 'src')),
      teamsFrom(other, ['--dir', root]),
      teamsFrom(other, ['--dir', path.join('..', path.basename(root), 'src')]),
      teamsFrom(other, [], { FED_ROOT: root }),
      teamsFrom(root, [], { FED_ROOT: '' }),
    ])
    expect(found).toEqual(found.map(() => ['docs', 'api']))
  })

  test('ends at the innermost repository, and names a federation around it', async () => {
    const inner = newRepositoryIn(path.join(root, 'vendor', 'inner'))
    const deep = path.join(inner, 'src')
    for (const args of [['status'], ['send', 'docs', '--type', 'report', '--subject', 'x'], ['doctor']]) {
      const { code, stdout, stderr } = await fed(deep, args)
      expect([code, stdout]).toEqual([4, ''])
      expect(stderr).toBe(
        `fed: no federation in ${deep}, which lies in the repository ${inner}: set one up there with 'fed init', or work with the one of the repository around it by '--dir ${root}'\n`,
      )
    }
    expect(() => findRoot(deep)).toThrow(FederationNotFoundError)
    expect(await teamsFrom(deep, ['--dir', root])).toEqual(['docs', 'api'])
    // whoever works for a federation still works for it there
    expect(await teamsFrom(deep, [], { FED_ROOT: root })).toEqual(['docs', 'api'])
    const run = await fed(deep, ['run', 'Explain it', '--agent', agent('good')])
    expect([run.code, run.stdout]).toEqual([
      0,
      expect.stringContaining(path.join(inner, '.fed', 'teams', 'docs')),
    ])
    expect(run.stderr).toContain(`set up a federation in ${inner}`)
    expect(run.stderr).toContain(`the federation in ${root} is another one`)
    expect(await teamsFrom(deep)).toEqual(['docs'])
    expect(await fedJson(root, ['status', 'docs'])).toMatchObject({ mission: null })
    rmSync(path.join(root, 'vendor'), { recursive: true })
  })

  test('goes through a folder that only looks like a repository', async () => {
    mkdirSync(path.join(root, 'src', 'odd', '.git'), { recursive: true })
    expect(await teamsFrom(path.join(root, 'src', 'odd'))).toEqual(['docs', 'api'])
    rmSync(path.join(root, 'src', 'odd'), { recursive: true })
  })

  test('a repository in a workspace is still in the team’s workspace, for whoever works for the federation', async () => {
    const inner = newRepositoryIn(path.join(workspaceOf(root, 'docs'), 'clone'))
    expect(await fedDone(inner, ['inbox'], { env: { FED_ROOT: root } })).toBe('nothing waits for docs\n')
    rmSync(inner, { recursive: true })
  })

  test('--dir goes before FED_ROOT, which goes before the present folder', async () => {
    const second = newRepository()
    await fedDone(second, ['init'])
    expect(await teamsFrom(root, [], { FED_ROOT: second })).toEqual([])
    expect(await teamsFrom(second, ['--dir', root], { FED_ROOT: second })).toEqual(['docs', 'api'])
  })

  test('inside a workspace the team need not be named', async () => {
    const inside = path.join(workspaceOf(root, 'docs'), '.fed', 'skills')
    expect(await fedDone(inside, ['inbox'])).toBe('nothing waits for docs\n')
    expect(await fedDone(inside, ['history'])).toBe('nothing was handled yet\n')
    expect(await fedDone(inside, ['learn', 'It is small'])).toBe('logged\n')
    expect(await fedDone(root, ['history'], { env: { FED_TEAM: 'api' } })).toBe('nothing was handled yet\n')
    expect(await fed(inside, ['status', 'nobody'])).toMatchObject({ code: 4 })
  })
})

test('a team that there is not is told with the one that was meant, and never with forty', () => {
  const root = copiedFederation()
  const { registry } = new Federation(root)
  const told = (id: string) => {
    try {
      registry.entry(id)
    } catch (error) {
      return (error as Error).message.replace(/^.*; /, '')
    }
    return undefined
  }
  const enroll = (...ids: string[]) =>
    registry.update((draft) => {
      for (const id of ids) draft.teams.push(entryOf(root, id))
    })
  expect(told('docs')).toBe("it has none yet: 'fed onboard docs --archetype deliverable'")
  enroll('docs', 'pricing')
  expect(told('nobody')).toBe('it has docs, pricing')
  enroll(...Array.from({ length: 38 }, (_, index) => `area-${index + 10}`))
  expect([told('priicng'), told('dosc'), told('pricing-api'), told('nobody')]).toEqual([
    'did you mean pricing?',
    'did you mean docs?',
    "it has 40, which 'fed status' lists",
    "it has 40, which 'fed status' lists",
  ])
})

function entryOf(root: string, domainId: string): RegistryEntry {
  return {
    domain: domainId,
    domainId,
    archetypeId: 'deliverable',
    placementType: 'directory',
    onboardedAt: '2026-11-22T08:00:00.000Z',
    location: workspaceOf(root, domainId),
  }
}
