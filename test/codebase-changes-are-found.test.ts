// A fingerprint before and after: what an agent did to the codebase shows, what others may do does not, and taking
// it leaves no trace in the repository.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { differences, fingerprint, patchBetween } from '../src/codebase/fingerprint.ts'
import { git } from '../src/git.ts'
import { newFolder, newRepository } from './support/fed.ts'

let root: string
let store: { readonly root: string; readonly folder: string }
const at = (...names: string[]) => path.join(root, ...names)

beforeEach(() => {
  root = newRepository()
  writeFileSync(at('.gitignore'), 'ignored/\n')
  writeFileSync(at('draft.txt'), 'not tracked\n')
  git(root, 'add', '.gitignore')
  store = { root, folder: newFolder('store') }
})

function changedBy(act: () => unknown): string[] {
  const before = fingerprint(store)
  act()
  return differences(store, before, fingerprint(store))
}

const changes: readonly [what: string, act: () => unknown, told: (string | RegExp)[]][] = [
  ['an edit of a tracked file', () => appendFileSync(at('src', 'app.ts'), '// more\n'), ['M src/app.ts']],
  ['an edit of an untracked file', () => appendFileSync(at('draft.txt'), 'more\n'), ['M draft.txt']],
  ['a new file', () => writeFileSync(at('new file.txt'), ''), ['A new file.txt']],
  [
    'a new file in a new folder',
    () => (mkdirSync(at('a')), writeFileSync(at('a', 'b.ts'), '')),
    ['A a/b.ts'],
  ],
  ['a removed file', () => rmSync(at('src', 'app.ts')), ['D src/app.ts']],
  ['a renamed file', () => renameSync(at('draft.txt'), at('kept.txt')), ['D draft.txt', 'A kept.txt']],
  [
    'a file that became a link',
    () => (rmSync(at('draft.txt')), symlinkSync('src/app.ts', at('draft.txt'))),
    ['T draft.txt'],
  ],
  ['a file that became executable', () => chmodSync(at('src', 'app.ts'), 0o755), ['M src/app.ts']],
  ['git add', () => git(root, 'add', 'draft.txt'), ['the index']],
  [
    'git commit',
    () => git(root, 'commit', '--quiet', '--message', 'More'),
    [/^commit: [0-9a-f]{40} → [0-9a-f]{40}$/],
  ],
  [
    'git checkout -b',
    () => git(root, 'checkout', '--quiet', '-b', 'other'),
    ['branch: refs/heads/main → refs/heads/other'],
  ],
  ['a detached HEAD', () => git(root, 'checkout', '--quiet', '--detach'), ['branch: refs/heads/main → none']],
  [
    'a large untracked file',
    () => writeFileSync(at('large.bin'), Buffer.alloc(9_000_000)),
    [/^M large\.bin 9000000 /],
  ],
]

test.each(changes)('%s shows', (_what, act, told) => {
  const expected = told.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one)))
  expect(changedBy(act).toSorted()).toEqual(expected.toSorted())
})

const harmless: readonly [what: string, act: () => unknown][] = [
  ['nothing', () => undefined],
  ['git status, which refreshes the index', () => git(root, 'status')],
  ['a file that git ignores', () => (mkdirSync(at('ignored')), writeFileSync(at('ignored', 'x'), 'x'))],
  ['another time of a file', () => utimesSync(at('src', 'app.ts'), 1, 1)],
  ['a branch that is not checked out', () => git(root, 'branch', 'other')],
  ['a tag', () => git(root, 'tag', 'v1')],
  [
    'a worktree elsewhere with a commit of its own',
    () => {
      const elsewhere = path.join(newFolder('elsewhere'), 'tree')
      git(root, 'worktree', 'add', '--quiet', '-b', 'fed/other', elsewhere)
      git(elsewhere, 'commit', '--quiet', '--allow-empty', '--message', 'Elsewhere')
    },
  ],
]

test.each(harmless)('%s does not show', (_what, act) => {
  expect(changedBy(act)).toEqual([])
})

describe('the repository', () => {
  test('gets neither an object nor another index', () => {
    const seen = () => ({
      objects: execFileSync('git', ['count-objects', '-v'], { cwd: root, encoding: 'utf8' }),
      index: git(root, 'ls-files', '--stage', '--debug'),
      files: readdirSync(path.join(root, '.git')).toSorted(),
    })
    writeFileSync(at('src', 'app.ts'), 'export const answer = 43\n')
    const before = seen()
    fingerprint(store)
    expect(seen()).toEqual(before)
  })

  test('may have no commit yet, a conflict, a file that may not be read, or a repository inside', () => {
    const empty = newRepository('empty')
    const inEmpty = { root: empty, folder: newFolder('store') }
    const first = fingerprint(inEmpty)
    expect(first).toMatchObject({ head: '', branch: 'refs/heads/main' })
    writeFileSync(path.join(empty, 'src', 'more.ts'), '')
    expect(differences(inEmpty, first, fingerprint(inEmpty))).toEqual(['A src/more.ts'])

    git(root, 'commit', '--quiet', '--message', 'Base')
    git(root, 'checkout', '--quiet', '-b', 'one')
    writeFileSync(at('src', 'app.ts'), 'one\n')
    git(root, 'commit', '--quiet', '--all', '--message', 'One')
    git(root, 'checkout', '--quiet', 'main')
    writeFileSync(at('src', 'app.ts'), 'two\n')
    git(root, 'commit', '--quiet', '--all', '--message', 'Two')
    expect(() => git(root, 'merge', 'one')).toThrow('git merge failed')
    mkdirSync(at('inside'))
    git(at('inside'), 'init', '--quiet')
    chmodSync(at('draft.txt'), 0)
    expect(changedBy(() => appendFileSync(at('src', 'app.ts'), 'resolved\n'))).toEqual(['M src/app.ts'])
  })
})

test('the patch holds what was there before, also of files that git never knew', () => {
  const before = fingerprint(store)
  writeFileSync(at('draft.txt'), 'overwritten\n')
  const patch = patchBetween(store, before, fingerprint(store))
  expect(patch).toContain('-not tracked\n+overwritten')
})
