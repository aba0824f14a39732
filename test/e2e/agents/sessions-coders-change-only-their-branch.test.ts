// Proves that a coding agent within walls, which commits and reports, changes nothing of the repository but its team's
// branch: no setting, hook, other ref, or other team's work; and that what it committed elsewhere is kept when its team
// goes, even when somebody removed its worktree by hand. It fails when anything else of the repository is another
// afterwards, or when a commit is lost.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { git } from '../../../src/platform/git/git.ts'
import type { HistoryEntry } from '../../../src/index.ts'
import { personsFolder } from '../../../src/platform/storage/persons-folder.ts'
import { agent, fed, fedDone, fedJson, newFederation } from '../../support/fed.ts'
import { hasWalls } from '../../support/walls.ts'

test.runIf(hasWalls)('whatever a coding agent tries, its branch alone moves', async () => {
  const root = await newFederation()
  git(root, 'tag', 'v1')
  for (const team of ['api', 'web'])
    await fedDone(root, ['onboard', team, '--archetype', 'coding', '--mission', 'Change the answer'])
  const notes = path.join(root, '.fed', 'worktrees', 'api', 'notes.json')
  const all = () => ({
    config: readFileSync(path.join(root, '.git', 'config'), 'utf8'),
    hooks: readdirSync(path.join(root, '.git', 'hooks')),
    refs: git(root, 'for-each-ref')
      .split('\n')
      .filter((line) => !/refs\/(?:heads\/fed|fed\/taken)\/api$/.test(line)),
    worktrees: readdirSync(path.join(root, '.git', 'worktrees')),
    other: readdirSync(path.join(root, '.fed', 'worktrees', 'web')),
    source: readFileSync(path.join(root, 'src', 'app.ts'), 'utf8'),
    status: git(root, 'status', '--porcelain', '--untracked-files=no'),
  })
  const before = all()
  const launched = await fed(root, [
    'launch',
    '--team',
    'api',
    '--max-sessions',
    '1',
    '--agent',
    agent('tampering'),
  ])
  expect(launched.stderr).toMatch(/session 1 of .*, confined/)
  const history = await fedJson<HistoryEntry[]>(root, ['history', 'api'])
  expect(history).toContainEqual(
    expect.objectContaining({ event: 'report.changes-committed', outcome: 'accepted' }),
  )
  expect(all()).toEqual(before)
  // what it writes inside is its own
  expect(JSON.parse(readFileSync(notes, 'utf8'))).toEqual({
    ...{ config: 'done', setting: 0, hook: 'done', main: 0, branch: 0, deleted: 0, rescue: 0, pruned: 0 },
    ...{ otherWork: 'ENOENT', otherFiles: false, otherNotes: 'api', around: 'done' },
    ...{ objects: 'EROFS', pointer: 'EROFS', source: 'EROFS' },
  })
  expect(git(root, 'log', '--format=%s', 'main..fed/api')).toBe('Another answer')
  const places = path.join(personsFolder('state'), 'repositories')
  const made = readdirSync(places).length
  await fedDone(root, ['archive', 'api'])
  // somebody tidied up by hand
  rmSync(path.join(root, '.fed', 'worktrees', 'api'), { recursive: true })
  git(root, 'worktree', 'prune')
  await fedDone(root, ['offboard', 'api'])
  expect(git(root, 'log', '--format=%s', '--glob=refs/fed/rescue/api', '--not', 'main')).toContain('Aside')
  expect(git(root, 'for-each-ref', 'refs/fed/taken')).toBe('')
  expect(readdirSync(places)).toHaveLength(made - 1)
})
