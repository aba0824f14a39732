// Two patterns of paths overlap where one path is of both. It fails when two tasks that change one file may run at once,
// or when tasks that never meet have to wait for each other.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { covers, overlap, patternFault } from '../../src/protocol/path-pattern.ts'

const names = ['a', 'b', 'aa', 'ab', 'ba', 'bb']
/** All paths of up to four names of up to two letters: no shorter witness is missed by the patterns below. */
const paths = [1, 2, 3, 4].flatMap((length) =>
  Array.from({ length: names.length ** length }, (_, at) =>
    Array.from({ length }, (__, index) => names[Math.floor(at / names.length ** index) % names.length]).join(
      '/',
    ),
  ),
)

/** The same pattern as a regular expression, written another way. */
function expression(pattern: string): RegExp {
  const text = pattern
    .split('/')
    .map((name) =>
      name === '**' ? '(?:[ab]+/)*' : `${name.replaceAll('*', '[ab]*').replaceAll('?', '[ab]')}/`,
    )
    .join('')
  return new RegExp(`^${text}$`)
}

const name = fc
  .array(fc.constantFrom('a', 'b', '*', '?'), { minLength: 1, maxLength: 2 })
  .map((all) => all.join(''))
const pattern = fc
  .tuple(
    fc.array(fc.oneof({ weight: 2, arbitrary: name }, fc.constant('**')), { minLength: 1, maxLength: 3 }),
  )
  .map(([all]) => all.join('/'))
  .filter((one) => patternFault(one) === undefined)

test('whatever the patterns, they overlap where a path is of both, and nowhere else', () => {
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      const [ofOne, ofOther] = [expression(one), expression(other)]
      const witness = paths.some((path) => ofOne.test(`${path}/`) && ofOther.test(`${path}/`))
      expect([one, other, overlap(one, other)]).toEqual([one, other, witness])
      expect(overlap(other, one)).toBe(witness)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['src/prices/**', 'src/prices/client.ts', true],
  ['src/*/index.ts', 'src/prices/*.ts', true],
  ['src/prices/**', 'src/price/**', false],
  ['**/*.md', 'docs/**', true],
  ['*.md', 'docs/*.md', false],
])('%s and %s: %s', (one, other, expected) => {
  expect(overlap(one, other)).toBe(expected)
})

test.each(['', '/etc/passwd', '../x', 'a/../b', 'a//b', 'a/', 'a**', '!a', '{a,b}', '[ab]', 'a\\b', 'a\0b'])(
  '%j is no pattern',
  (text) => {
    expect(patternFault(text)).toEqual(expect.any(String))
  },
)

test('a pattern covers the paths that it says, whatever signs they hold', () => {
  for (const sign of ` !"#$%&'()+,-.:;<=>@[]^_{|}~\\äß🎉`) {
    const file = `new${sign}a.js`
    expect([sign, covers(`src/${file}`, `src/${file}`)]).toEqual([sign, true])
    expect([sign, covers('src/**', `src/deep/${file}`)]).toEqual([sign, true])
    expect([sign, covers('src/new?a.js', `src/${file}`)]).toEqual([sign, true])
  }
  for (const shape of ['**/b', 'a/*/b', '*', 'a?/**/b', '**'])
    for (const path of paths)
      expect([shape, path, covers(shape, path)]).toEqual([shape, path, expression(shape).test(`${path}/`)])
  // what lies in a folder, and not the folder's own name
  expect([covers('a/**', 'a/b/c'), covers('a/**', 'a')]).toEqual([true, false])
  // in a path no letter stands for another
  expect(covers('src/a.ts', '**')).toBe(false)
  expect(covers('src/a.ts', 'src/?.ts')).toBe(false)
  expect(covers('src/*.ts', 'src/a\n.ts')).toBe(true)
})
