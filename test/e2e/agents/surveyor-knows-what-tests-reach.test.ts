// Proves that a test is counted for what it imports or calls, directly or through others; fails when a name alone counts.
import { expect, test } from 'vitest'
import { analyse } from '../../../src/surveyor/analysis.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { repositoryOf } from '../../support/repository.ts'

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

test('a name that everything has tells of no test: of a file, and of a method', async () => {
  const found = analyse(
    await survey(
      repositoryOf({
        'printer/src/util.ts': 'export const width = () => 1\n',
        'tests/util.ts': 'globalThis.width()\n',
        'near/parse.ts': 'export const parse = () => 1\n',
        'far/test/parse.test.ts': 'globalThis.parse()\n',
        'go.mod': 'module example.org/shop\n',
        'cart/errors.go':
          'package cart\n\ntype Failed struct{}\n\nfunc (f Failed) Error() string { return "" }\n',
        'cart/total.go': 'package cart\n\ntype Sum struct{}\n\nfunc (s Sum) Total() int { return 1 }\n',
        'cart/cart_test.go':
          'package cart\n\nfunc check(err error, s Sum) {\n\terr.Error()\n\ts.Total()\n}\n',
      }),
    ),
  )
  expect([...found.testsOf.keys()]).toEqual(['cart/total.go'])
})
