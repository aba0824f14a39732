// Proves that entry points lead to the sources that they are built from, and that a program begins with the function that runs
// first; fails when an interface, a benchmark or a demo is taken for it.
import { describe, expect, test } from 'vitest'
import { entryPointsSection } from '../../../src/surveyor/report/entry-points.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { repositoryOf } from '../../support/repository.ts'

const bodyOf = ({ body }: { body: string }): string => body

test('entry points lead to the source that a build makes them from', async () => {
  const told = bodyOf(
    entryPointsSection(
      await survey(
        repositoryOf({
          'package.json':
            '{"name":"shop","bin":{"shop":"./dist/code/cli.js","tool":"bin/tool.js"},"exports":{".":"./dist/code/index.js","./*":"./*","./lost":"./dist/lost.js"},"workspaces":["packages/*"]}',
          'tsconfig.json': '{"extends":"./base.json"}',
          'base.json': '{"compilerOptions":{"outDir":"dist"}}',
          'code/cli.ts':
            "import { shop } from './index.ts'\ninterface Options {}\nexport function main(): void {\n  shop()\n}\n\nmain()\n",
          'code/index.ts': 'export function shop(): void {}\n',
          'bin/tool.js': '#!/usr/bin/env node\n',
          'packages/core/package.json':
            '{"name":"core","main":"./dist/core.cjs.js","exports":{".":"./dist/core.cjs.js","./guards":"./dist/core-guards.cjs.js","./bundle":"./dist/lonely.js"}}',
          'packages/core/src/index.ts': '',
          'packages/core/src/guards.ts': '',
          'packages/core/src/deep/lonely.ts': '',
        }),
      ),
    ),
  )
  expect(told.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    '- Command `shop`: `./dist/code/cli.js`, which is made from `code/cli.ts`',
    '- Command `tool`: `bin/tool.js`',
    '- Library entry: `./dist/code/index.js`, which is made from `code/index.ts`',
    '- Export `./lost`: `./dist/lost.js`, which is not in the repository; what it is made from could not be told',
    '- Library entry of `packages/core/package.json`: `./dist/core.cjs.js`, which is made from `packages/core/src/index.ts`',
    '- Export `./guards` of `packages/core/package.json`: `./dist/core-guards.cjs.js`, which is made from `packages/core/src/guards.ts`',
    '- Export `./bundle` of `packages/core/package.json`: `./dist/lonely.js`, which is made from `packages/core/src/deep/lonely.ts`',
  ])
  expect(told).toContain(
    'How it begins, in `code/cli.ts:3`:\n\n```ts\nexport function main(): void {\n  shop()\n}\n```',
  )
})

describe('how it begins', () => {
  const begins = async (files: Record<string, string>): Promise<string> =>
    /How it begins, in [^]*/.exec(bodyOf(entryPointsSection(await survey(repositoryOf(files)))))?.[0] ?? ''

  test('never in an interface of a library, nor in a benchmark or demo', async () => {
    const main = 'public class X { public static void main(String[] args) { new Shop(); } }\n'
    expect(
      await begins({
        'pom.xml': '<project><artifactId>shop</artifactId></project>',
        'src/main/java/Shop.java': 'public class Shop {}\n',
        'metrics/src/main/java/ShopBenchmark.java': main.replace('X', 'ShopBenchmark'),
        'src/main/java/ShopDemo.java': main.replace('X', 'ShopDemo'),
      }),
    ).toBe('')
    const library = {
      'package.json': '{"name":"shop","exports":"./src/shop.ts"}',
      'src/part.ts': 'export const part = 1\n',
    }
    const handler = "import './part.ts'\nexport interface Handler {\n  name: string\n}\n"
    expect(await begins({ ...library, 'src/shop.ts': handler })).toBe('')
    expect(
      await begins({ ...library, 'src/shop.ts': `${handler}export function shop(): void {\n}\n` }),
    ).toContain('`src/shop.ts:5`')
  })

  test('in the program that puts the project together, not in a tool beside it', async () => {
    const program = (name: string): string =>
      `package main\n\nimport "example.org/shop/${name}"\n\nfunc main() {\n\t${name}.Run()\n}\n`
    expect(
      await begins({
        'go.mod': 'module example.org/shop\n',
        'cmd/aid/main.go': 'package main\n\nfunc main() {}\n',
        'cmd/shop/main.go': program('store'),
        'store/store.go':
          'package store\n\nimport "example.org/shop/money"\n\nfunc Run() { money.Count() }\n',
        'money/money.go': 'package money\n\nfunc Count() {}\n',
      }),
    ).toContain('`cmd/shop/main.go:5`')
  })

  test('in the function that a script calls, or in its first statement that does something', async () => {
    const script = (text: string): Record<string, string> => ({
      'package.json': '{"name":"shop","bin":"cli.ts"}',
      'cli.ts': `#!/usr/bin/env node\nimport { a } from './a.ts'\ntype Id = string\n${text}`,
      'a.ts': 'export const a = 1\n',
    })
    expect(await begins(script('async function start() {\n  a\n}\nvoid start()\n'))).toContain('`cli.ts:4`')
    const python = {
      'pyproject.toml': '[project]\nname = "shop"\n[project.scripts]\nshop = "shop.cli:run"\n',
      'shop/__init__.py': '',
      'shop/cli.py': 'from shop.work import run\n\n__all__ = ["run"]\n',
      'shop/work.py': 'from shop.a import a\n\ndef idle():\n    pass\n\ndef run():\n    a()\n',
      'shop/a.py': 'def a():\n    pass\n',
    }
    expect(await begins(python)).toContain('`shop/work.py:6`')
    const selfTest = "from shop.a import a\n\nif __name__ == '__main__':\n    a()\n"
    expect(
      await begins({ ...python, 'pyproject.toml': '[project]\nname = "shop"\n', 'shop/b.py': selfTest }),
    ).toBe('')
    expect(await begins(script('function late() {}\n\nconsole.log(a)\n'))).toContain('`cli.ts:6`')
  })
})
