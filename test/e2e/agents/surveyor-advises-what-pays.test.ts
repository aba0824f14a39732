// Proves that a report advises only what pays and says what it brings, and that what tools or texts name is never called unused; fails when advice comes for little, or for what is in use.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/surveyor/analysis.ts'
import { nextStepsSection } from '../../../src/surveyor/report/next-steps.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { gitIn, repositoryOf, writeFiles } from '../../support/repository.ts'

async function stepsIn(root: string): Promise<string> {
  const found = await survey(root)
  return nextStepsSection(found, analyse(found)).body
}

/** Modules that use each other in a line, so that those in question are few among many. */
const LINE = Object.fromEntries(
  Array.from({ length: 24 }, (_, at) => [
    `src/line/m${at}.ts`,
    `${at === 0 ? '' : `import { f${at - 1} } from './m${at - 1}.ts'\n`}export const f${at} = ${at === 0 ? 1 : `f${at - 1}`}\n`,
  ]),
)
const lonely = (name: string): string => `export function ${name}() {\n  return 1\n}\n`
const functions = (many: number): string =>
  Array.from({ length: many }, (_, at) => lonely(`f${at}`)).join('\n')

test('a module that nothing imports is called unused only when no build file, configuration or text names it', async () => {
  const steps = await stepsIn(
    repositoryOf({
      ...LINE,
      'package.json': '{"name": "shop", "scripts": {"seed": "node src/jobs/seed.ts"}}',
      'tsconfig.json': '{"files": ["src/jobs/globals.ts"]}',
      'vite.config.ts': "export default { build: { rollupOptions: { input: 'src/jobs/page.ts' } } }\n",
      Makefile: 'stock:\n\tnode src/jobs/stock.ts\n',
      '.github/workflows/nightly.yml': 'jobs:\n  a:\n    steps:\n      - run: node src/jobs/nightly.ts\n',
      Dockerfile: 'CMD ["node", "src/jobs/serve.ts"]\n',
      'src/line/start.ts':
        "export const start = () => new Worker(new URL('../jobs/count.ts', import.meta.url))\n",
      'docs/a.mdx': "import { Chart } from '../src/jobs/chart'\n",
      ...Object.fromEntries(
        ['seed', 'globals', 'page', 'stock', 'nightly', 'serve', 'count', 'chart', 'lost'].map((name) => [
          `src/jobs/${name}.ts`,
          lonely(name),
        ]),
      ),
      'src/more.ts': "import './line/m23.ts'\nimport './line/start.ts'\n",
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, at) => [
          `src/few/n${at}.ts`,
          `import '../line/m0.ts'\nimport './n${(at + 1) % 40}.ts'\n`,
        ]),
      ),
    }),
  )
  expect(steps).toContain(
    'Check whether `src/jobs/lost.ts` is still needed: no code imports it, and no manifest, build file or configuration names it; without it there are 3 lines less to read',
  )
})

test('two neighbours that use each other are no cycle to break, three modules or two folders are', async () => {
  const pair = {
    'src/a.ts': "import { b } from './b.ts'\nexport const a = b\n",
    'src/b.ts': "import { a } from './a.ts'\nexport const b = a\n",
  }
  expect(await stepsIn(repositoryOf(pair))).not.toContain('Break the cycle')
  expect(
    await stepsIn(
      repositoryOf({
        'src/x/a.ts': "import { b } from '../y/b.ts'\nexport const a = b\n",
        'src/y/b.ts': "import { a } from '../x/a.ts'\nexport const b = a\n",
      }),
    ),
  ).toContain('the circle holds 2 modules')
})

test('a long file is to be split only where it holds much and is changed often', async () => {
  const filler = 'export const table = [\n' + '  1,\n'.repeat(1_500) + ']\n'
  const root = repositoryOf({
    ...LINE,
    'src/table.ts': filler,
    'src/many.ts': `${functions(30)}${'// more\n'.repeat(1_000)}`,
  })
  for (const at of [1, 2, 3]) {
    writeFiles(root, {
      'src/table.ts': `${filler}// ${at}\n`,
      'src/many.ts': `${functions(30)}${'// more\n'.repeat(1_000)}// ${at}\n`,
    })
    gitIn(root, ['commit', '-q', '-a', '-m', `Change ${at}`])
  }
  const steps = await stepsIn(root)
  expect(steps).toMatch(
    /Split `src\/many\.ts` \(1,\d+ lines, 30 top-level symbols, 4 commits\) by what changes together/,
  )
  expect(steps).not.toMatch(/Split .*src\/table\.ts/)
})

test('a first test is asked for code that is changed often, not for programs, types or a page', async () => {
  const long = (text: string): string => `${text}${'// more\n'.repeat(120)}`
  const files = (text: string): Record<string, string> => ({
    'src/price.ts': long(`${lonely('price')}${text}`),
    'src/cli.ts': long(`#!/usr/bin/env node\n${lonely('cli')}${text}`),
    'src/kinds.d.ts': long(`export declare function kind(): number\n${text}`),
    'website/page.ts': long(`${lonely('page')}${text}`),
    'src/plug.ts': long(`${lonely('plug')}${text}`),
  })
  const root = repositoryOf({
    ...files(''),
    'src/other.ts': lonely('other'),
    'test/other.test.ts': "import { other } from '../src/other.ts'\nother('@shop/plug')\n",
  })
  for (const at of [1, 2, 3, 4, 5]) {
    writeFiles(root, files(`// ${at}\n`))
    gitIn(root, ['commit', '-q', '-a', '-m', `Change ${at}`])
  }
  expect((await stepsIn(root)).split('\n').find((line) => line.includes('first test'))).toBe(
    '- Write a first test for `src/price.ts` (6 commits): no test imports it, even through others; a test would show what the next one breaks',
  )
})

test('a package is called unneeded only when nothing but its manifest names it', async () => {
  const steps = await stepsIn(
    repositoryOf({
      'package.json': '{"name": "shop", "dependencies": {"used": "1", "pretty-log": "1", "unused-one": "1"}}',
      'src/a.ts':
        "import { a } from 'used'\nexport const b = { transport: 'pretty-log' }\nexport const c = a\n",
      'README.md': '# Shop\n\nIt needs `unused-one`.\n',
    }),
  )
  expect(steps).toContain(
    'Check whether `unused-one` is still needed: declared for use, but named by no file but its manifest',
  )
})
