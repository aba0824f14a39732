// Proves that a name which passes for a branch is one that git takes, and never another revision's (`main~1`,
// `@{-1}`). Fails when a name from a configuration could become an option, a range or an older commit.
import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isBranchName } from '../../../src/protocol/branch-name.ts'

const parts = fc.constantFrom(
  'main',
  'a',
  '/',
  '.',
  '..',
  '-',
  '~1',
  '^',
  ':',
  '@',
  '@{',
  '}',
  '.lock',
  ' ',
  'ü',
  '\n',
)
const names = fc.array(parts, { minLength: 1, maxLength: 5 }).map((some) => some.join(''))
const isGits = (name: string) => spawnSync('git', ['check-ref-format', '--branch', name]).status === 0

test('what passes is a name of a branch for git', () => {
  fc.assert(
    fc.property(names, (name) => !isBranchName(name) || isGits(name)),
    { numRuns: 300 },
  )
})

test.each(['main', 'feature/price-service', 'release-1.2', 'fed/api', 'ünïcode', 'a@b'])(
  '%s is one',
  (name) => {
    expect(isBranchName(name)).toBe(true)
  },
)

test.each(['', 'main~1', 'main^', 'a..b', '-b', 'a b', '@{-1}', 'x.lock', '/a', 'a/', 'HEAD:x'])(
  '%j is none',
  (name) => {
    expect(isBranchName(name)).toBe(false)
  },
)
