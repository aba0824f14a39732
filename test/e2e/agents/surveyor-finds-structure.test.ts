// Proves that cycles, history and test reach are computed as defined, on generated graphs and real commits; fails on a wrong component, count or rename.
import { mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDeliverable } from '../../../src/records/deliverable/check-standards.ts'
import { analyse } from '../../../src/surveyor/analysis.ts'
import { findCycles, shortestCycle } from '../../../src/surveyor/graph.ts'
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { renderReport } from '../../../src/surveyor/render-report.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { gitIn, repositoryOf, writeFiles } from '../../support/repository.ts'

const graphs = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 0, max: 11 })), { maxLength: 40 })
  .map((edges) => {
    const next = new Map<string, string[]>()
    for (const [from, to] of edges)
      if (from !== to) next.set(`n${from}`, [...(next.get(`n${from}`) ?? []), `n${to}`])
    return (node: string): string[] => next.get(node) ?? []
  })
const NODES = Array.from({ length: 12 }, (_, at) => `n${at}`)

function reaches(next: (node: string) => string[], from: string, to: string): boolean {
  const seen = new Set<string>()
  const queue = [...next(from)]
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (node === to) return true
    if (!seen.has(node)) queue.push(...next(node))
    seen.add(node)
  }
  return false
}

describe('cycles', () => {
  test('two modules are in one component exactly when each reaches the other', () => {
    fc.assert(
      fc.property(graphs, (next) => {
        const components = findCycles(NODES, next)
        const component = new Map(
          components.flatMap((members, at) => members.map((node) => [node, at] as const)),
        )
        for (const a of NODES) {
          for (const b of NODES) {
            if (a === b) continue
            const together = component.has(a) && component.get(a) === component.get(b)
            expect(together).toBe(reaches(next, a, b) && reaches(next, b, a))
          }
        }
      }),
    )
  })

  test('the way shown is a cycle of real edges', () => {
    fc.assert(
      fc.property(graphs, (next) => {
        for (const members of findCycles(NODES, next)) {
          const way = shortestCycle(members, next)
          expect(way.length).toBeGreaterThan(2)
          expect(way.at(-1)).toBe(way[0])
          for (const [at, node] of way.slice(0, -1).entries()) expect(next(node)).toContain(way[at + 1])
        }
      }),
    )
  })

  test('type-only and lazy imports close no circle', async () => {
    const found = analyse(
      await survey(
        repositoryOf({
          'a.ts': "import { b } from './b.ts'\nexport const a = b\n",
          'b.ts': "import type { a } from './a.ts'\nexport const b = 1\n",
          'c.ts': "import { d } from './d.ts'\nexport const c = d\n",
          'd.ts': "export const d = () => import('./c.ts')\n",
          'e.ts': "import { f } from './f.ts'\nexport const e = f\n",
          'f.ts': "import { e } from './e.ts'\nexport const f = e\n",
        }),
      ),
    )
    expect(found.cycles.map(({ way }) => way)).toEqual([['e.ts', 'f.ts', 'e.ts']])
  })
})

test('history follows a rename and counts authors and lines', async () => {
  const root = repositoryOf({
    'old.ts': 'export const a = 1\nexport const b = 2\nexport const c = 3\n',
    'other.ts': 'export {}\n',
  })
  mkdirSync(path.join(root, 'src'))
  renameSync(path.join(root, 'old.ts'), path.join(root, 'src/new.ts'))
  gitIn(root, ['add', '-A'], '2024-06-01')
  gitIn(root, ['commit', '-q', '-m', 'Move it'], '2024-06-01')
  writeFiles(root, {
    'src/new.ts': 'export const a = 1\nexport const b = 2\nexport const c = 3\nexport const d = 4\n',
  })
  gitIn(root, ['-c', 'user.email=b@example.org', 'commit', '-q', '-a', '-m', 'Add d'], '2024-07-01')
  const { history } = await survey(root)
  expect(history).toMatchObject({
    read: 3,
    total: 3,
    first: '2024-05-01',
    last: '2024-07-01',
    shallow: false,
  })
  expect(history?.files['src/new.ts']).toEqual({
    commits: 3,
    added: 4,
    deleted: 0,
    authors: 1,
    recentAuthors: 1,
    last: '2024-07-01',
    subjects: ['Add d', 'Move it', 'First files'],
  })
})

test('tests reach modules by import, by a call, through others, or not at all; a name alone counts nothing', async () => {
  const found = analyse(
    await survey(
      repositoryOf({
        'src/direct.ts': "import { deep } from './deep.ts'\nexport const direct = deep\n",
        'src/deep.ts': 'export const deep = 1\n',
        'src/called.ts': 'export const begin = () => 1\n',
        'src/named.ts': 'export const named = 1\n',
        'src/bare.ts': 'export const bare = 1\n',
        'test/direct.test.ts': "import { direct } from '../src/direct.ts'\ndirect\n",
        'test/called.test.ts': 'globalThis.begin()\n',
        'example/test/bare.test.ts': "import { bare } from '../../src/bare.ts'\nbare\n",
        'test/named.test.ts': "import { spawn } from 'node:child_process'\nspawn\n",
      }),
    ),
  )
  expect([...found.testsOf.keys()].toSorted()).toEqual(['src/called.ts', 'src/direct.ts'])
  // one number for one thing
  for (const { file, byTests } of found.ranking)
    expect([file.path, byTests]).toEqual([file.path, found.testsOf.get(file.path) ?? []])
  expect([...found.reachedIndirectly]).toEqual(['src/deep.ts'])
  expect(found.untested.map((file) => file.path)).toEqual(['src/bare.ts', 'src/named.ts'])
  expect(found.tests.map((file) => file.path)).not.toContain('example/test/bare.test.ts')
})

test('code is told by its language and a test by the form of its name', async () => {
  const { files } = await survey(
    repositoryOf({
      'doc/man_docs.go': 'package doc\n',
      'src/test-runs.ts': 'export const a = 1\n',
      'src/a.test.ts': 'export const a = 1\n',
      'pkg/test_a.py': '',
      'pkg/a_test.go': 'package pkg\n',
      'tests/any.ts': '',
    }),
  )
  expect(Object.fromEntries(files.map(({ path: file, role }) => [file, role]))).toEqual({
    'doc/man_docs.go': 'source',
    'src/test-runs.ts': 'source',
    'src/a.test.ts': 'test',
    'pkg/test_a.py': 'test',
    'pkg/a_test.go': 'test',
    'tests/any.ts': 'test',
  })
})

test('a manifest is read even when a tool wrote it, each dependency once', async () => {
  const { manifests } = await survey(
    repositoryOf({
      'Cargo.toml':
        '# THIS FILE IS AUTOMATICALLY GENERATED BY CARGO\n[package]\nname = "shop"\n\n[dependencies.atty]\nversion = "0.2"\noptional = true\nfeatures = ["a"]\n\n[dependencies]\nlog = "1"\n\n[dev-dependencies.trybuild]\nversion = "1"\n',
    }),
  )
  expect(manifests[0]?.dependencies).toEqual([
    { name: 'atty', development: false },
    { name: 'log', development: false },
    { name: 'trybuild', development: true },
  ])
})

test('core modules are hubs, not the errors and options that all of them use', async () => {
  const long = 'export const step = 1\n'.repeat(1) + '// a line of the work\n'.repeat(150)
  const part = (name: string): string =>
    `import { ShopError } from './errors.ts'\nexport function ${name}(): void {\n  throw new ShopError()\n}\n`
  const surveyed = await survey(
    repositoryOf({
      'src/errors.ts': 'export class ShopError extends Error {}\n',
      'src/shop.ts': `import { a } from './a.ts'\nimport { b } from './b.ts'\nimport { c } from './c.ts'\nexport function shop(): void {\n  a()\n  b()\n  c()\n}\n${long}`,
      'src/a.ts': part('a'),
      'src/b.ts': part('b'),
      'src/c.ts': part('c'),
      'src/main.ts': "import { shop } from './shop.ts'\nshop()\n",
    }),
  )
  const found = analyse(surveyed)
  expect(found.ranking[0]?.file.path).toBe('src/errors.ts')
  expect(found.core[0]?.file.path).toBe('src/shop.ts')
  const report = renderReport(surveyed, readMission('', 'Describe the architecture of this project'))
  expect(report).toContain('; `src/errors.ts` is used by 3 of the 5 other modules, more than any other.')
  expect(checkDeliverable(report, { codebaseHasCode: true })).toEqual([])
})
