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
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  differences,
  fingerprint,
  patchBetween,
  type Fingerprint,
} from '../../../src/platform/git/fingerprint.ts'
import { git } from '../../../src/platform/git/git.ts'
import { newFolder, newRepository } from '../../support/fed.ts'

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
  // a process that was killed left what it took to the next
  return linesBetween(JSON.parse(JSON.stringify(before)) as Fingerprint)
}

function linesBetween(before: Fingerprint, within = store): string[] {
  return differences(within, before, fingerprint(within)).map(({ line }) => line)
}

/** A repository inside of the codebase, with a file. */
function repositoryAt(name: string): void {
  mkdirSync(at(name))
  git(at(name), 'init', '--quiet')
  git(at(name), 'config', 'user.name', 'Tester')
  git(at(name), 'config', 'user.email', 'tester@example.org')
  writeFileSync(at(name, 'inner.ts'), 'inner\n')
  git(at(name), 'add', '.')
  git(at(name), 'commit', '--quiet', '--message', 'Inner')
}

function hideIn(folder: string): void {
  writeFileSync(at(folder, '.gitignore'), '*\n')
  writeFileSync(at(folder, 'hidden.ts'), '')
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
    'a file that git was told to take for unchanged just before',
    () => {
      git(root, 'update-index', '--assume-unchanged', 'src/app.ts')
      appendFileSync(at('src', 'app.ts'), '// more\n')
    },
    ['M src/app.ts', 'the index'],
  ],
  [
    'a file with a name in letters that git would escape',
    () => writeFileSync(at('größe "1".txt'), ''),
    ['A größe "1".txt'],
  ],
  [
    'a file that a new rule hides',
    () => {
      appendFileSync(at('.git', 'info', 'exclude'), '\nhidden.ts\n')
      writeFileSync(at('hidden.ts'), '')
    },
    ['the rules in info/exclude'],
  ],
  ['a file in a folder of the codebase that hides itself', () => hideIn('src'), ['A src/.gitignore']],
  [
    'a file that a setting of git hides',
    () => {
      writeFileSync(path.join(store.folder, '..', 'ignore'), 'hidden.ts\n')
      git(root, 'config', 'core.excludesFile', path.join(store.folder, '..', 'ignore'))
      writeFileSync(at('hidden.ts'), '')
    },
    ['the rules in core.excludesFile', 'the rules in the settings core.* and filter.*'],
  ],
  [
    'an edit that a new filter would take back',
    () => {
      git(root, 'config', 'filter.back.clean', 'git cat-file blob HEAD:%f')
      writeFileSync(at('.git', 'info', 'attributes'), '* filter=back\n')
      appendFileSync(at('src', 'app.ts'), '// more\n')
    },
    ['M src/app.ts', 'the rules in info/attributes', 'the rules in the settings core.* and filter.*'],
  ],
  ['a new repository', () => repositoryAt('vendor'), ['A vendor/, a repository']],
  ['one called as a part of every object', () => repositoryAt('toString'), ['A toString/, a repository']],
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

test.each([
  ['an edit of a tracked file', () => appendFileSync(at('lib', 'inner.ts'), 'more\n'), ['M lib/inner.ts']],
  ['a new file', () => writeFileSync(at('lib', 'new.ts'), ''), ['A lib/new.ts']],
  ['a checkout', () => git(at('lib'), 'checkout', '-q', '--detach'), [/^branch: .* → none \(in lib\)$/]],
])('%s in a submodule, and in a repository that git does not know, shows', (_what, act, told) => {
  repositoryAt('lib')
  const expected = told.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one)))
  const before = fingerprint(store)
  act()
  expect(linesBetween(before)).toEqual(expected)
  expect(patchBetween(store, before, fingerprint(store))).not.toContain('a/inner.ts')
  git(root, '-c', 'advice.addEmbeddedRepo=false', 'add', 'lib')
  const added = fingerprint(store)
  appendFileSync(at('lib', 'inner.ts'), 'again\n')
  expect(linesBetween(added)).toEqual(['M lib/inner.ts'])
  expect(patchBetween(store, added, fingerprint(store))).toContain('+++ b/lib/inner.ts')
})

test('a file in the folder of a submodule that is not checked out shows', () => {
  repositoryAt('lib')
  git(root, '-c', 'advice.addEmbeddedRepo=false', 'add', 'lib')
  rmSync(at('lib'), { recursive: true })
  mkdirSync(at('lib'))
  expect(changedBy(() => writeFileSync(at('lib', 'new.ts'), ''))).toEqual(['A lib/new.ts'])
})

test('an edit that the person’s attributes could hide shows, wherever git reads them', () => {
  const persons = path.join(newFolder('persons'), 'git')
  mkdirSync(persons)
  vi.stubEnv('XDG_CONFIG_HOME', path.dirname(persons))
  try {
    const hides = () => writeFileSync(path.join(persons, 'attributes'), '* filter=back\n')
    expect(changedBy(hides)).toEqual(['the rules in core.attributesFile'])
  } finally {
    vi.unstubAllEnvs()
  }
})

test.each(['--assume-unchanged', '--skip-worktree'])('an edit of a file marked %s long ago shows', (flag) => {
  git(root, 'update-index', flag, 'src/app.ts')
  expect(changedBy(() => appendFileSync(at('src', 'app.ts'), '// more\n'))).toEqual(['M src/app.ts'])
  rmSync(at('src', 'app.ts'))
  expect(changedBy(() => undefined)).toEqual([])
})

const harmless: readonly [what: string, act: () => unknown][] = [
  ['nothing', () => undefined],
  ['git status, which refreshes the index', () => git(root, 'status')],
  ['a file that git ignores', () => (mkdirSync(at('ignored')), writeFileSync(at('ignored', 'x'), 'x'))],
  ['a tool’s cache that hides itself', () => (mkdirSync(at('cache')), hideIn('cache'))],
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
    expect(linesBetween(first, inEmpty)).toEqual(['A src/more.ts'])

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

describe('what is checked out is told', () => {
  const told = (place: string) => {
    const { head, branch } = fingerprint({ root: place, folder: newFolder('store') })
    return { head, branch }
  }

  test('before the first commit', () => {
    const place = newFolder('unborn')
    git(place, 'init', '--quiet', '--initial-branch=trunk')
    expect(told(place)).toEqual({ head: '', branch: 'refs/heads/trunk' })
    writeFileSync(path.join(place, 'HEAD'), 'a file of this name\n')
    expect(told(place)).toEqual({ head: '', branch: 'refs/heads/trunk' })
  })

  test('in a worktree whose path has line breaks, on a branch and on none', () => {
    const place = path.join(newFolder('lines'), `a\n${'0'.repeat(40)}\nrefs`, 'heads')
    git(root, 'worktree', 'add', '--quiet', '-b', 'other', place)
    const head = git(place, 'rev-parse', 'HEAD')
    expect(told(place)).toEqual({ head, branch: 'refs/heads/other' })
    git(place, 'checkout', '--quiet', '--detach')
    expect(told(place)).toEqual({ head, branch: '' })
    // git itself asks no branch of this name
    git(root, 'update-ref', 'refs/heads/HEAD', head)
    expect(told(place)).toEqual({ head, branch: '' })
  })
})
