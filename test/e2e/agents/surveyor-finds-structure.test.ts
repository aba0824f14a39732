// Proves that cycles, history and test reach are computed as defined, on generated graphs and real commits; fails on a wrong component, count or rename.
import { mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDeliverable } from '../../../src/records/deliverable/check-markdown.ts'
import { analyse } from '../../../src/surveyor/analysis.ts'
import { findCycles, shortestCycle } from '../../../src/surveyor/graph.ts'
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { cyclesSection } from '../../../src/surveyor/report/structure-sections.ts'
import { renderReport } from '../../../src/surveyor/render-report.ts'
import { describeFile } from '../../../src/surveyor/report/describe.ts'
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
    lines: { added: 4, deleted: 0 },
    authors: 1,
    recentAuthors: 1,
    last: '2024-07-01',
    subjects: ['Add d', 'Move it', 'First files'],
  })
})

test('an import of types alone closes no circle, whatever it is written like', async () => {
  const files = (taken: string) => ({
    'src/a.ts':
      "import { b } from './b.ts'\nexport interface Shape {\n  name: string\n}\nexport const a = b\n",
    'src/b.ts': `import { ${taken} } from './a.ts'\nexport const b = 1\nexport type Use = typeof ${taken}\n`,
  })
  expect(analyse(await survey(repositoryOf(files('Shape')))).cycles).toEqual([])
  expect(analyse(await survey(repositoryOf(files('a')))).cycles).toHaveLength(1)
})

test('what uses a module and what it uses are counted alike', async () => {
  const found = analyse(
    await survey(
      repositoryOf({
        'src/a.ts': 'export interface Shape {\n  name: string\n}\n',
        'src/b.ts': "import type { Shape } from './a.ts'\nexport const b = {} as Shape\n",
        'test/examples/shop.test.ts': "import { b } from '../../src/b.ts'\nb\n",
      }),
    ),
  )
  const of = (name: string) => found.core.find(({ file }) => file.path === name)
  expect([of('src/a.ts')?.bySources, of('src/b.ts')?.uses]).toEqual([['src/b.ts'], ['src/a.ts']])
  expect(of('src/b.ts')?.byTests).toEqual(['test/examples/shop.test.ts'])
})

test('no circle is claimed only where circles are looked for', async () => {
  const told = async (files: Record<string, string>): Promise<string> =>
    renderReport(await survey(repositoryOf(files)), readMission('', 'Document the architecture'))
  const rust = { 'Cargo.toml': '[package]\nname = "shop"\n', 'src/main.rs': 'fn main() {}\n' }
  const script = { 'run.py': 'def run():\n    pass\n' }
  expect(await told(script)).toContain('no import cycle')
  expect(await told(rust)).not.toMatch(/no import cycle|No module/)
  const both = await told({ ...rust, ...script })
  expect(both).not.toContain('no import cycle')
  expect(both).toContain('No module of the other languages imports itself')
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

const bodyOf = ({ body }: { body: string }): string => body

test('all circles of folders are told: pairs, longer ones, and folders with what is inside them', async () => {
  const uses = (...paths: string[]): string =>
    paths.map((used) => `import '${used}'\n`).join('') + 'export const a = 1\n'
  const circles = async (files: Record<string, string>): Promise<string> =>
    bodyOf(cyclesSection(analyse(await survey(repositoryOf(files)))))
  const told = await circles({
    'one/a.ts': uses('../two/a.ts'),
    'one/b.ts': 'export const b = 1\n',
    'two/a.ts': uses('../one/b.ts'),
    'x/a.ts': uses('../y/a.ts'),
    'y/a.ts': uses('../z/a.ts'),
    'z/a.ts': uses('../x/b.ts'),
    'x/b.ts': 'export const b = 1\n',
    'out/a.ts': uses('./in/a.ts'),
    'out/b.ts': 'export const b = 1\n',
    'out/in/a.ts': uses('../b.ts'),
  })
  expect(told).toContain('1 pair of folders uses each other')
  expect(told).toContain('`one` and `two`: 1 import one way, 1 the other')
  expect(told).toContain('`x`, `y` and `z`; a shortest way round is `x` → `y` → `z` → `x`')
  expect(told).toContain('Folders that use what is inside them and are used by it: `out` with `out/in`.')
  const none = await circles({ 'one/a.ts': uses('../two/a.ts'), 'two/a.ts': 'export const a = 1\n' })
  expect(none).toContain('No folders that stand side by side use each other in a circle.')
})

test('a module is described by the class or export that it is named for, not by a helper above it', async () => {
  const found = await survey(
    repositoryOf({
      'src/shop.ts':
        '/** Trims a name. */\nexport function trim(a: string) {\n  return a\n}\n\n/** Keeps all orders. */\nexport class SHOP {\n  a() {}\n}\n\nexport const limit = 1\n',
      'src/till.ts':
        '/** Rounds. */\nexport const round = 1\n\nexport function help() {\n  return 1\n}\n\nexport class Till {\n  a() {}\n}\n',
      'src/cart/index.ts':
        '/** Adds up. */\nexport function add() {\n  return 1\n}\n\n/** What a buyer wants. */\nexport class Cart {\n  a() {}\n}\n',
      'src/desk.ts': '/** Says what desks are. */\n\n/** A desk. */\nexport class Desk {\n  a() {}\n}\n',
    }),
  )
  expect(
    ['shop.ts', 'till.ts', 'cart/index.ts', 'desk.ts'].map((name) => describeFile(found, `src/${name}`)),
  ).toEqual([
    '`SHOP`: Keeps all orders.',
    'Holds class `Till`, function `help` and constant `round`',
    '`Cart`: What a buyer wants.',
    'Says what desks are.',
  ])
})
