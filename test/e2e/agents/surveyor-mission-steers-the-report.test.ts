// Proves that the words of a mission decide what the report is about, and that what it cannot do is said or refused; fails when a mission gets the general survey.
import { expect, test } from 'vitest'
import { focusOn } from '../../../src/surveyor/focus.ts'
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { renderReport } from '../../../src/surveyor/render-report.ts'
import { shortcomingsOf } from '../../../src/surveyor/shortcomings.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { baseOf, partsOf } from '../../../src/surveyor/search/word-forms.ts'
import { repositoryOf } from '../../support/repository.ts'

const FILES = {
  'README.md': '# Shop\n\nShop keeps orders and carts for small sellers on one disk.\n',
  'docs/registry.md': '# The registry\n\n## Locking\n\nA lock is taken before each write.\n',
  'src/registry/registry.ts': `import { acquireLock, releaseLock } from './file-lock.ts'
import { format } from '../text/format.ts'

/** The list of teams, kept in one file. */
export class Registry {
  /** Changes the registry while it is locked. */
  update(change: () => void): void {
    acquireLock('registry')
    change()
    releaseLock('registry')
  }

  show(): string {
    return format('registry')
  }
}
`,
  'src/registry/file-lock.ts': `/** Takes the lock of a file, waiting for whoever has it. */
export function acquireLock(name: string): void {
  name.trim()
}

/** Gives the lock back. */
export function releaseLock(name: string): void {
  name.trim()
}
`,
  'src/text/format.ts':
    '/** Formats a line; a block of text stays whole. */\nexport const format = (text: string) => text\n',
  'src/cart/cart.ts':
    "import { format } from '../text/format.ts'\n/** Holds what is bought. */\nexport class Cart {\n  title = format('cart')\n}\n",
  'src/main.ts':
    "import { Registry } from './registry/registry.ts'\nimport { Cart } from './cart/cart.ts'\nnew Registry().update(() => void new Cart())\n",
  'test/file-lock.test.ts':
    "import { acquireLock } from '../src/registry/file-lock.ts'\nacquireLock('a lock')\n",
}

const report = async (mission: string): Promise<string> =>
  renderReport(await survey(repositoryOf(FILES)), readMission('', mission))

test('a question is answered with its files, symbols, callers and tests, not with the general survey', async () => {
  const text = await report('Explain how the registry is locked')
  expect(text).toMatch(/^# How the registry is locked — Shop\n/)
  const [first, second] = [
    text.indexOf('### `src/registry/registry.ts`'),
    text.indexOf('### `src/registry/file-lock.ts`'),
  ]
  expect(Math.min(first, second)).toBeGreaterThan(0)
  expect(text).toContain('export function acquireLock(name: string): void {')
  expect(text).toContain(
    '`acquireLock` is used by `Registry.update` in `src/registry/registry.ts:8` and `test/file-lock.test.ts:2`',
  )
  expect(text).toContain('- `test/file-lock.test.ts`')
  expect(text).toContain('`docs/registry.md`')
  expect(text).not.toContain('### `src/cart/cart.ts`')
  expect(text).not.toContain('### `src/text/format.ts`')
  expect(text).not.toContain('## External dependencies')
})

test('the way through the code is followed call by call, each at its line, and drawn', async () => {
  const text = await report('How is the registry locked while it is changed?')
  const [, way = ''] = text.split('\n## The way through it\n')
  expect(way.split('\n## ')[0]).toContain(
    '- `Registry.update` calls `acquireLock` in `src/registry/registry.ts:8`\n- `Registry.update` calls `releaseLock` in `src/registry/registry.ts:10`\n',
  )
  expect(way).toContain('  p0->>p1: acquireLock\n  p0->>p1: releaseLock\n')
})

test('a named file or folder comes first, whatever else the words match', async () => {
  expect(await report('Describe src/cart')).toContain('### `src/cart/cart.ts`')
  const text = await report('What does format.ts do for the registry?')
  expect(text.indexOf('### `src/text/format.ts`')).toBeLessThan(
    text.indexOf('### `src/registry/registry.ts`'),
  )
})

test('a general mission with a topic gets both, the topic first', async () => {
  const text = await report('Document the architecture of this repository, above all the locking')
  expect(text.indexOf('### `src/registry/file-lock.ts`')).toBeGreaterThan(0)
  expect(text.indexOf('### `src/registry/file-lock.ts`')).toBeLessThan(text.indexOf('## Directories'))
})

test('a section of the survey that is asked for by name comes first', async () => {
  const text = await report('List the external dependencies')
  expect(text).toMatch(/^# List the external dependencies — Shop\n/)
  expect(text.indexOf('## External dependencies')).toBeLessThan(text.indexOf('## What it is'))
})

test('instructions that came later are words as well', async () => {
  const mission = readMission('', 'Explain the registry', [
    { subject: 'more', body: 'Also look at the cart' },
  ])
  expect(mission.topics).toEqual(['registry', 'cart'])
})

test('words that stand nowhere are named, and the map is given instead', async () => {
  const text = await report('Explain the photon torpedoes')
  expect(text).toContain('Nothing in the repository matches “photon” and “torpedoes”')
  expect(text).toContain('## Directories')
  expect(await report('Explain the torpedo lock')).toContain(
    '“torpedo”: the word stands nowhere in the repository',
  )
  expect(await report('Explain src/cart and src/registri/registry.tz')).toContain(
    'There is no `src/registri/registry.tz` in the repository; the nearest names are `src/registry/registry.ts`',
  )
})

test.each([
  ['Compare the registry with competitors', 'Compare the registry with competitors', ['registry']],
  ['Document the cart in German', 'in German', ['cart']],
  ['Explain the cart and estimate the cost of a rewrite', 'estimate the cost of a rewrite', ['cart']],
  ['Explain the cart, then fix all bugs', 'fix all bugs', ['cart']],
])('%s: what cannot be done is said, the rest is done', async (mission, asked, topics) => {
  const read = readMission('', mission)
  expect(read).toMatchObject({ topics, cannot: [{ asked }] })
  expect(read.refusal).toBeUndefined()
  expect(await report(mission)).toContain(`“${asked}”:`)
})

test.each([
  'Fix the login bug',
  'In src/view.ts, rename the class',
  'implement retries',
  'Please refactor the parser',
  'Add a button',
  'Write tests for the cart',
  'Upgrade to version 7',
  'Update the README',
])('%s: refused, since it asks to change code', (mission) => {
  expect(readMission('', mission).refusal).toContain('it asks to change code')
})

test.each([
  'Explain how to add a command',
  'Write a report about the cart',
  'Create an architecture diagram',
  'Explain how teams are added and removed',
  'Document the release process',
  'Build an overview of the code',
])('%s: not refused', (mission) => {
  expect(readMission('', mission).refusal).toBeUndefined()
})

test('forms of a word meet, and identifiers are split into words', () => {
  for (const [a, b] of [
    ['locked', 'lock'],
    ['locking', 'locks'],
    ['registries', 'registry'],
    ['caches', 'caching'],
    ['committed', 'commit'],
    ['retried', 'retries'],
  ])
    expect(baseOf(a ?? '')).toBe(baseOf(b ?? ''))
  for (const [a, b] of [
    ['block', 'lock'],
    ['payment', 'pay'],
    ['parser', 'parsing'],
    ['lease', 'less'],
    ['state', 'static'],
  ])
    expect(baseOf(a ?? '')).not.toBe(baseOf(b ?? ''))
  expect(partsOf('fileLockTimeout_ms')).toEqual(['file', 'lock', 'timeout', 'ms'])
  expect(partsOf('HTTPServer/parseURL')).toEqual(['http', 'server', 'parse', 'url'])
})

test.each([
  'Explain how `compileETag` works',
  'Explain how compileETag works',
  'Explain how `generateETag` works',
  'Explain `handle`',
])('%s: an exact identifier is found, exported or not', async (mission) => {
  const root = repositoryOf({
    'lib/utils.js':
      'exports.compileETag = function (value) {\n  return value\n}\n\nfunction maker() {\n  return function generateETag(body) {\n    return body\n  }\n}\n\nexports.handle = function (maker) {\n  return maker\n}\n',
    'lib/view.js': 'exports.view = 1\n',
  })
  const text = renderReport(await survey(root), readMission('', mission))
  expect(text).not.toContain('Nothing in the repository matches')
  expect(text).toContain('The answer stands mostly in `lib/utils.js`')
})

test('documents alone are an answer: no step and no table is empty', async () => {
  const root = repositoryOf({
    'README.md': '# Handbook\n\n## Table of contents\n',
    'onboarding.md': '# Onboarding\n\nThe first day.\n\n## Day one\n\nOnboarding begins.\n',
  })
  const found = await survey(root)
  const focused = renderReport(found, readMission('', 'Explain how onboarding works'))
  expect(focused).toContain('- Read `onboarding.md`')
  expect(focused).not.toMatch(/^- Read *$|against the code above/m)
  const general = renderReport(found, readMission('', 'Describe the architecture of this project'))
  expect(general).toContain('It is made of 2 documents.')
  expect(general).toContain('- Read `README.md`, then `onboarding.md`, the longest of the other documents')
})

test('the public API is documented by its exports, wherever they are made', async () => {
  const api = async (files: Record<string, string>): Promise<string> =>
    renderReport(await survey(repositoryOf(files)), readMission('', 'Document the public API'))
      .split('\n## Public API\n')[1]
      ?.split('\n## ')[0] ?? ''
  const typescript = await api({
    'package.json': '{"name":"shop","exports":"./dist/index.js"}',
    'src/index.ts': "export { Cart } from './cart.ts'\nexport * from './money.ts'\n",
    'src/cart.ts':
      '/** Holds what is bought. */\nexport class Cart {\n  /** Adds one. */\n  add(name: string, price: number): void {}\n}\nexport const inner = 1\n',
    'src/money.ts': 'export function format(\n  cents: number,\n): string {\n  return String(cents)\n}\n',
    'src/hidden.ts': 'export const hidden = 1\n',
  })
  expect(typescript).toContain('| `Cart` | class | `class Cart` | Holds what is bought. |')
  expect(typescript).toContain(
    '| `Cart.add` | method | `add(name: string, price: number): void` | Adds one. |',
  )
  expect(typescript).toContain('| `format` | function | `function format(cents: number): string` |')
  expect(typescript).not.toMatch(/\| `(inner|hidden)` \|/)
  const python = await api({
    'shop/__init__.py': 'from .cart import *\n',
    'shop/cart.py':
      "__all__ = ('Cart',)\n\nclass Cart:\n    def add(self, name): pass\n\ndef other(): pass\n",
  })
  expect(python).toContain('| `Cart.add` | method | `def add(self, name): pass` |')
  expect(python).not.toContain('| `other` |')
  const go = await api({
    'go.mod': 'module example.org/shop\n',
    'cart.go':
      'package shop\n\n// Open opens.\nfunc Open(name string) error { return nil }\n\nfunc hidden() {}\n',
  })
  expect(go).toContain('| `Open` | function | `func Open(name string) error` | Open opens. |')
  expect(go).not.toContain('| `hidden` |')
  const rust = await api({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': 'mod cart;\npub use cart::Cart;\n',
    'src/cart.rs':
      'pub struct Cart;\nimpl Cart {\n    pub fn add(&self) {}\n    pub(crate) fn inner(&self) {}\n}\n',
  })
  expect(rust).toContain('| `Cart.add` | method | `pub fn add(&self)` |')
  expect(rust).not.toContain('inner')
})

test('a weak match is called one, and whoever started the agent is told', async () => {
  const found = await survey(repositoryOf(FILES))
  const told = (mission: string): string[] => {
    const read = readMission('', mission)
    return shortcomingsOf(focusOn(found, read), read)
  }
  expect(told('Explain the photon torpedoes')).toEqual([
    'nothing in the repository matches “photon”, “torpedoes”; this is the general map',
  ])
  expect(told('Find security problems')[0]).toContain('not answered: “Find security problems”')
  expect(told('Explain how the registry is locked')).toEqual([])
  expect(renderReport(found, readMission('', 'Explain photon torpedo warp drives of the cart'))).toContain(
    'Little in the repository matches the mission',
  )
})

test('what the shown code calls elsewhere is named', async () => {
  const root = repositoryOf({
    'src/registry.ts':
      "import { commit } from './versioned.ts'\n/** Locks the registry. */\nexport function lockRegistry(): void {\n  commit('x')\n}\n",
    'src/versioned.ts':
      '/** Writes the next version. */\nexport function commit(name: string): void {\n  name.trim()\n}\n',
    'src/other.ts': 'export const other = 1\n',
  })
  const text = renderReport(await survey(root), readMission('', 'Explain how the registry is locked'))
  expect(text).toContain('`lockRegistry` calls `commit` in `src/versioned.ts:2`: Writes the next version.')
})
