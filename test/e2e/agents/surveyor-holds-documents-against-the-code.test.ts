// Proves that the report leads with what people wrote and lists exactly what they name that is no longer there; fails when something gone is missed, or something that is there, made, planned or an example is listed.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkDocuments } from '../../../src/surveyor/documents/check-documents.ts'
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { renderReport } from '../../../src/surveyor/render-report.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { gitIn, repositoryOf, writeFiles } from '../../support/repository.ts'

const MODULES = {
  'src/cart.ts': 'export class Cart {\n  total() {\n    return 1\n  }\n}\n',
  'src/old/price.ts': 'export const a = 1\nexport const b = 2\nexport const c = 3\n',
  'src/stock.ts': 'export function countStock() {\n  return 1\n}\n',
  'src/gone.ts': 'export const gone = 1\n',
  'dist/out.js': 'made\n',
}

/** A repository in which `price.ts` was moved and `gone.ts` and `dist/` were taken away, with these documents now. */
async function staleIn(documents: Record<string, string>): Promise<string[]> {
  const root = repositoryOf(MODULES)
  mkdirSync(path.join(root, 'src/money'))
  gitIn(root, ['mv', 'src/old/price.ts', 'src/money/price.ts'])
  gitIn(root, ['rm', '-q', 'src/gone.ts', 'dist/out.js'])
  writeFiles(root, { '.gitignore': 'dist/\nlocal.md\n', ...documents })
  gitIn(root, ['add', '-A'], '2024-06-01')
  gitIn(root, ['commit', '-q', '-m', 'Move price'], '2024-06-01')
  return checkDocuments(await survey(root)).map(
    ({ document, line, named, kind, now }) =>
      `${document}:${line} ${kind} ${named}${now === undefined ? '' : ` -> ${now.join(', ')}`}`,
  )
}

test('paths that a commit took away are listed with where they went', async () => {
  expect(
    await staleIn({
      'ARCHITECTURE.md':
        '# How it works\n\nPrices are in `src/old/price.ts`,\nthe rest is in `src/gone.ts:12`. The folder is `src/old/`.\n',
      'docs/a.md': '# A\n\nSee `src/cart.ts`, `cart.ts`, `old/price.ts` and [it](../src/gone.ts#L3).\n',
    }),
  ).toEqual([
    'ARCHITECTURE.md:3 path src/old/price.ts -> src/money/price.ts',
    'ARCHITECTURE.md:4 path src/gone.ts',
    'ARCHITECTURE.md:4 path src/old/ -> src/money',
    'docs/a.md:3 link ../src/gone.ts#L3',
  ])
})

test('the name of a file that only the past knows is listed, and a picture that is not there', async () => {
  const root = repositoryOf({ ...MODULES, 'src/ledger.ts': 'export const a = 1\n' })
  gitIn(root, ['rm', '-q', 'src/ledger.ts', 'src/gone.ts'])
  writeFiles(root, {
    'docs/a.md':
      '# A\n\nThe books are in `ledger.ts`, the shelves in `stock.ts`, the rest in `gone.ts` and `never.ts`.\n\n![till](till.svg)\n',
  })
  gitIn(root, ['add', '-A'])
  gitIn(root, ['commit', '-q', '-m', 'Drop the ledger'])
  expect(checkDocuments(await survey(root)).map(({ line, named }) => `${line} ${named}`)).toEqual([
    '3 ledger.ts',
    '3 gone.ts',
    '5 till.svg',
  ])
})

test('a picture of folders is held against the tree, unless it is of another place', async () => {
  expect(
    await staleIn({
      'CONTRIBUTING.md':
        '# Work\n\n```\nshop/\n├── src/\n│   ├── cart.ts\n│   └── gone.ts  # leftovers\n└── README.md\n```\n',
      'docs/guide.md': '# Guide\n\n```\n.\n├── app\n│   └── page.ts\n└── src\n    └── gone.ts\n```\n',
      'docs/tool.md': '# Tool\n\n```bash\n$ tree\n.\n└── src\n    └── gone.ts\n```\n',
      'README.md': '# Shop\n',
    }),
  ).toEqual(['CONTRIBUTING.md:7 path src/gone.ts'])
})

test('links and anchors that lead nowhere are listed; pages of a site, ignored files and addresses are not', async () => {
  expect(
    await staleIn({
      'README.md':
        '# Shop\n\n[a](docs/guide.md#set-up-the-shop) [b](docs/guide) [c](docs/guide.md#run-it) [d](local.md) [e](https://x.org/a.md)\n[f](docs/lost.md) [g](#shop) [h](#h2-1) [i](<docs/{name}.md>)\n[j](docs/guide.md#run)\n\n## H2\n\n## H2\n',
      'docs/guide.md': '# Guide\n\n## Set up: the `shop`!\n\n## Run <a name="run-it"></a>\n\n## Running\n',
    }),
  ).toEqual(['README.md:4 link docs/lost.md'])
  expect(
    await staleIn({
      'README.md': '# Shop\n\n[a](docs/guide.md#install-the-shop)\n[b](#usage)\n',
      'docs/guide.md': '# Guide\n\n## Install the shop on Linux\n',
    }),
  ).toEqual([
    'README.md:3 anchor docs/guide.md#install-the-shop -> Install the shop on Linux',
    'README.md:4 anchor #usage',
  ])
})

test('commands of the project that its build files do not define are listed, those of others are not', async () => {
  const files = {
    'package.json': '{"name": "shop", "scripts": {"build": "tsc", "test:unit": "vitest"}}',
    Makefile: 'all: build\nbuild:\n\ttsc\n.PHONY: all build\n',
    'Cargo.toml': '[package]\nname = "shop"\n[[bin]]\nname = "till"\n',
  }
  expect(
    await staleIn({
      ...files,
      'CONTRIBUTING.md':
        '# Work\n\nRun `npm run build`, then `npm run unit`.\n\n```sh\nmake build\nmake release\ncargo run --bin till\ncargo run --bin desk\n```\n',
      'docs/user.md': '# Use\n\nIn your app, run `npm run dev`.\n\n```sh\nnpm run serve\n```\n',
      'README.md': '# Shop\n\n## Development\n\n```sh\ncd my-app\nnpm run start\n```\n',
    }),
  ).toEqual([
    'CONTRIBUTING.md:3 command npm run unit -> test:unit',
    'CONTRIBUTING.md:7 command make release',
    'CONTRIBUTING.md:9 command cargo run --bin desk',
  ])
  expect(
    await staleIn({ ...files, Makefile: '%:\n\t./run $@\n', 'CONTRIBUTING.md': '# W\n\n`make any`\n' }),
  ).toEqual([])
})

test('members that no code has and functions that stand elsewhere are listed', async () => {
  expect(
    await staleIn({
      'docs/a.md':
        '# A\n\n`Cart.total()` sums, `Cart.discount()` lowers it. `Shelf.fill()` is of others.\n\nSee `countStock()` in `src/cart.ts`, or `countStock()` in `src/stock.ts`.\n',
    }),
  ).toEqual([
    'docs/a.md:3 symbol Cart.discount()',
    'docs/a.md:5 symbol countStock() in src/cart.ts -> src/stock.ts:1',
  ])
})

test('what is told of the past, of plans, of examples and of what is made is not held against the code', async () => {
  expect(
    await staleIn({
      'README.md':
        '# Shop\n\nWe removed `src/gone.ts`. Create `src/old/price.ts` in your project. It writes `dist/out.js`. Not `src/*.ts`, `path/to/x.ts`, `@a/src/gone.ts` or `github.com/a/src/gone.ts`.\n\n```ts\nimport "./src/gone.ts"\n```\n',
      'CHANGELOG.md': '# Changes\n\n`src/gone.ts`\n',
      'docs/plans/next.md': '# Next\n\n`src/gone.ts`\n',
      'docs/2024-05-01-price.md': '# Price\n\n`src/gone.ts`\n',
      'docs/first.md': '# First\n\nStatus: superseded\n\n`src/gone.ts`\n',
      'examples/a/README.md': '# A\n\n`src/gone.ts`\n',
    }),
  ).toEqual([])
})

test('the report leads with the documents that explain the project, in their own first sentences but for the one on how to contribute', async () => {
  const root = repositoryOf({
    ...MODULES,
    'README.md': '# Shop\n\nShop keeps orders for small sellers. It is fast.\n\n## Usage\n\n## Layout\n',
    'ARCHITECTURE.md': '# How it works\n\nOrders go through a queue and are priced once. Then more.\n',
    'CONTRIBUTING.md': '# Work on it\n\nHow to build the shop and run its tests. Start with `src/lost.ts`.\n',
    'docs/faq.md': '# Questions\n\nWhat people ask about the shop and its prices.\n',
  })
  const report = renderReport(await survey(root), readMission('Document the architecture', ''))
  expect(report).toContain(
    [
      '## What people wrote\n',
      '- `ARCHITECTURE.md`, “How it works” (3 lines): Orders go through a queue and are priced once.',
      '- `CONTRIBUTING.md`, “Work on it” (3 lines)',
      '- `README.md`, with the sections “Usage” and “Layout”',
    ].join('\n'),
  )
  expect(report.indexOf('## What people wrote')).toBeLessThan(report.indexOf('## What it is'))
  expect(report).not.toContain('that is not there\n')
  expect(report).toContain('- `docs/faq.md`: “Questions”')
})
