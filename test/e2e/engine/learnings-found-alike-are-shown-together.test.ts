// Proves that what several teams found alike is shown together by a rule that anybody can check, the same each
// time, and fast for thousands of findings. It fails when groups depend on chance, or the short way misses one.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupAlike, likeness, wordsOf } from '../../../src/records/learnings/likeness.ts'
import { fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'
import { tries } from '../../support/thorough.ts'

const alike = (a: string, b: string) => groupAlike([a, b]).length === 1

test.each([
  ['Every write is a link', 'each write uses a link'],
  [
    'Handlers never catch; src/http.ts:40 maps every error',
    'The handler never catches: src/http.ts:52 maps errors',
  ],
  ['Ports come from src/config.ts', 'the port comes from `src/config.ts`'],
  ['Ｆｕｌｌ ｗｉｄｔｈ names', 'full width name'],
])('%j says the same as %j', (a, b) => expect(alike(a, b)).toBe(true))

test.each([
  ['Every write is a link', 'Every read is a copy'],
  ['Handlers never catch errors', 'Handlers log the time of each request'],
  ['', ''],
  ['the of and', 'of the and'],
])('%j does not say the same as %j', (a, b) => expect(alike(a, b)).toBe(false))

/** The rule without the short way: every text is compared with the first of every group. */
function groupSlowly(contents: readonly string[]): number[][] {
  const words = contents.map(wordsOf)
  const groups: number[][] = []
  for (const [position, own] of words.entries()) {
    const shares = groups.map(([first = 0]) => likeness(own, words[first] ?? new Set()))
    const most = Math.max(0, ...shares)
    const group = groups[shares.indexOf(most)]
    if (most >= 0.6 && group !== undefined) group.push(position)
    else groups.push([position])
  }
  return groups
}

test('the short way finds what comparing everything finds', () => {
  const content = fc.array(fc.constantFrom(...'abcdefghij'.split('').map((letter) => letter.repeat(3))), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(fc.array(content, { maxLength: 40 }), (contents) => {
      const texts = contents.map((words) => words.join(' '))
      expect(groupAlike(texts)).toEqual(groupSlowly(texts))
    }),
    { numRuns: tries(500) },
  )
})

test('several teams: who found it, what they share, and a mark in the list', async () => {
  const root = await newFederation({ docs: undefined, api: undefined, ui: undefined })
  const learn = (team: string, text: string, ...args: string[]) =>
    fedDone(root, ['learn', text, '--team', team, ...args])
  await learn('docs', 'Every write to the store is a link', '--category', 'pattern')
  await learn('docs', 'Each write to the store links')
  await learn('docs', 'Only docs knows this')
  await learn('docs', 'only docs know this')
  await learn('api', 'All writes to the store are links', '--confidence', 'high')
  await learn('ui', 'Colours come from the theme')
  const shared = await fedJson<{ findings: unknown[] }[]>(root, ['learnings', '--alike'])
  expect(shared).toMatchObject([{ teams: ['api', 'docs'], words: ['link', 'store', 'write'], likeness: 1 }])
  expect(shared[0]?.findings).toHaveLength(3)
  expect(await fedDone(root, ['learnings', '--alike'])).toMatch(
    /^api, docs \(in the same words\)\n {2}docs +pattern +medium +Every write[^]*\n {2}api +discovery +high +All writes/,
  )
  const listed = await fedJson<{ content: string; alsoFoundBy: string[] }[]>(root, ['learnings', 'api', 'ui'])
  expect(listed.map(({ alsoFoundBy }) => alsoFoundBy)).toEqual([['docs'], []])
  expect(await fedDone(root, ['learnings', 'api'])).toContain('≈ docs')
  expect(await fedJson(root, ['learnings', 'ui', '--alike'])).toEqual([])
  expect(await fedDone(root, ['learnings', '--alike', '--text', 'theme'])).toBe(
    'no two teams found anything alike\n',
  )
})

test('a damaged log of another team does not keep one from its own', async () => {
  const root = await newFederation({ docs: undefined, api: undefined })
  await fedDone(root, ['learn', 'Ports are open', '--team', 'docs'])
  writeFileSync(path.join(workspaceOf(root, 'api'), '.fed', 'learnings.jsonl'), 'no finding\n')
  const { code, stdout, stderr } = await fed(root, ['learnings', 'docs'])
  expect([code, stdout.includes('Ports are open'), stderr]).toEqual([0, true, ''])
})
