// Proves that the page is told of a coding team's branch what git has of its mission: its commits and what they change
// together, also once they are merged, and nothing of the mission before. It fails when a program runs that the
// repository names, when a patch is read whole however long it is, or when what is no text is told as one.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { ShownChanges } from '../../../src/apps/web/dashboard/shown.ts'
import { showChanges } from '../../../src/apps/web/dashboard/shown-changes.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { beginMission } from '../../../src/federation/mission.ts'
import type { Team } from '../../../src/federation/team.ts'
import { branchWork } from '../../../src/platform/git/branch-work.ts'
import { git } from '../../../src/platform/git/git.ts'
import { codingTeam, commitFile } from '../../support/coding-team.ts'
import { newRepository } from '../../support/fed.ts'

/** A repository with a branch `work`, whose one commit is made of these files. */
function branchWith(files: Readonly<Record<string, string | Buffer>>): string {
  const root = newRepository()
  git(root, 'checkout', '--quiet', '-b', 'work')
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(root, name), content)
  git(root, 'add', '.')
  git(root, 'commit', '--quiet', '--message', 'Work')
  return root
}

const workIn = (root: string) =>
  branchWork(root, {
    heads: ['refs/heads/work'],
    target: 'refs/heads/main',
    start: git(root, 'rev-parse', 'main'),
    before: undefined,
  })

async function changesOf(team: Team): Promise<ShownChanges> {
  const changes = await showChanges(team)
  if (changes === undefined || 'fault' in changes) throw new Error(changes?.fault ?? 'no branch')
  return changes
}

test('the commits of a mission and what they change, also when they are merged', async () => {
  const { root, workspace } = await codingTeam()
  const team = await new Federation(root).team('api')
  const begin = git(root, 'rev-parse', 'main')
  const commit = commitFile(workspace, 'notes.md', 'Why 43\n')
  const changes = await changesOf(team)
  expect(changes).toMatchObject({
    branch: 'fed/api',
    target: 'main',
    head: commit,
    base: begin,
    hasMore: false,
  })
  expect(changes.commits.map(({ subject, author }) => [subject, author])).toEqual([
    ['Write notes.md', 'Tester'],
    ['Write src/app.ts', 'Tester'],
  ])
  expect(changes.patch).toContain('\n-export const answer = 42\n+export const answer = 43\n')
  expect(changes.patch).toContain('\n+Why 43\n')
  git(root, 'merge', '--quiet', '--no-ff', '--no-edit', 'fed/api')
  expect(await showChanges(team)).toEqual(changes)
})

test('what came into the target meanwhile is no work of the team', async () => {
  const { root, workspace } = await codingTeam()
  const team = await new Federation(root).team('api')
  writeFileSync(path.join(root, 'other.md'), 'by somebody else\n')
  git(root, 'add', 'other.md')
  git(root, 'commit', '--quiet', '--message', 'Something else')
  git(workspace, 'merge', '--quiet', '--no-edit', 'main')
  const changes = await changesOf(team)
  expect(changes.patch).not.toContain('somebody else')
  expect(changes.commits.map(({ subject }) => subject)).toContain('Write src/app.ts')
})

test('what the branch had before the mission is none of its work', async () => {
  const { root, workspace } = await codingTeam()
  const team = await new Federation(root).team('api')
  await team.reset()
  await beginMission(team, 'Another answer')
  expect(await showChanges(team)).toMatchObject({ commits: [], patch: '' })
  commitFile(workspace, 'notes.md', 'Why 44\n')
  const changes = await changesOf(team)
  expect(changes.commits.map(({ subject }) => subject)).toEqual(['Write notes.md'])
  expect(changes.patch).not.toContain('answer')
  // nor is what it takes in of the target then
  writeFileSync(path.join(root, 'other.md'), 'by somebody else\n')
  git(root, 'add', 'other.md')
  git(root, 'commit', '--quiet', '--message', 'Something else')
  git(workspace, 'merge', '--quiet', '--no-edit', 'main')
  const subjects = (await changesOf(team)).commits.map(({ subject }) => subject)
  expect(subjects).toContain('Write notes.md')
  expect(subjects).not.toContain('Something else')
})

test('no program runs that the repository names', async () => {
  const root = branchWith({ '.gitattributes': '* diff=evil\n', 'a.txt': 'text\n' })
  const mark = path.join(root, 'ran')
  const program = path.join(root, 'evil.sh')
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\necho replaced\n`, { mode: 0o755 })
  for (const [name, value] of Object.entries({
    'diff.external': program,
    'diff.evil.command': program,
    'diff.evil.textconv': program,
    'log.showSignature': 'true',
    'gpg.program': program,
    'core.fsmonitor': program,
    'core.pager': program,
  }))
    git(root, 'config', name, value)
  const work = await workIn(root)
  expect(work?.patch).toContain('\n+text\n')
  expect(work?.commits).toHaveLength(1)
  expect(existsSync(mark)).toBe(false)
})

test('a patch is told up to its bound, in whole lines, and what is no text by its name', async () => {
  const line = `${'a long line of text '.repeat(5)}\n`
  const root = branchWith({ 'a.bin': Buffer.from([0, 1, 2]), 'b.txt': line.repeat(10_000) })
  const work = await workIn(root)
  expect(work?.isPatchWhole).toBe(false)
  expect(work?.patch.length).toBeGreaterThan(200_000)
  expect(work?.patch.length).toBeLessThanOrEqual(256 * 1024)
  expect(work?.patch.endsWith(`+${line}`)).toBe(true)
  expect(work?.patch).toContain('Binary files /dev/null and b/a.bin differ')
})

test('where git knows no such branch there is nothing to tell', async () => {
  const root = newRepository()
  expect(await workIn(root)).toBeUndefined()
})
