// Proves that the learning log loses nothing of many who write at once, and that each question about it gets what
// was asked for and nothing else. It fails when a line is torn or lost, or a filter lets through too much or little.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Learning } from '../../../src/index.ts'
import { fed, fedDone, fedJson, newFederation, workspaceOf } from '../../support/fed.ts'
import { someOf } from '../../support/thorough.ts'

const logOf = (root: string, team: string) => path.join(workspaceOf(root, team), '.fed', 'learnings.jsonl')

test('50 processes that append at once leave 50 whole lines', async () => {
  const root = await newFederation({ docs: 'Explain it' })
  const contents = Array.from({ length: 50 }, (_, index) => `finding ${index}: ${'x'.repeat(index * 199)}`)
  const ended = await Promise.all(contents.map((content) => fed(root, ['learn', content, '--team', 'docs'])))
  expect(ended.map(({ code }) => code)).toEqual(contents.map(() => 0))
  const text = readFileSync(logOf(root, 'docs'), 'utf8')
  expect(text).toMatch(/\n$/)
  // a line that was seen half written is kept apart by an empty one
  const lines = text.split('\n').filter((line) => line !== '')
  expect(lines.map((line) => (JSON.parse(line) as Learning).content).toSorted()).toEqual(contents.toSorted())
  expect(await fedJson(root, ['learnings', 'docs'])).toHaveLength(50)
})

describe('a question', () => {
  let root: string
  const hour = 3_600_000
  const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()
  const line = (content: string, of: Partial<Learning>): Learning => ({
    timestamp: ago(1),
    domain: 'docs',
    category: 'discovery',
    tags: [],
    confidence: 'medium',
    content,
    ...of,
  })
  const found = async (...args: string[]) =>
    (await fedJson<Learning[]>(root, ['learnings', ...args])).map(({ content }) => content)

  beforeAll(async () => {
    root = await newFederation({ docs: undefined, api: undefined })
    const write = (team: string, ...findings: Learning[]) =>
      writeFileSync(logOf(root, team), findings.map((one) => `${JSON.stringify(one)}\n`).join(''))
    write(
      'docs',
      line('old', {
        timestamp: ago(100),
        category: 'gotcha',
        tags: ['storage', 'locks'],
        confidence: 'high',
      }),
      line('Every write is a LINK', {
        timestamp: ago(3),
        category: 'pattern',
        tags: ['storage'],
        confidence: 'low',
      }),
      line('last', { timestamp: ago(0.5), category: 'correction', confidence: 'high' }),
    )
    write('api', line('between', { timestamp: ago(2), domain: 'api', tags: ['locks'] }))
  })

  test.each(
    someOf<[string, string[], string[]]>(
      [
        [
          'about nothing gets all, the oldest first, whatever the team',
          [],
          ['old', 'Every write is a LINK', 'between', 'last'],
        ],
        ['about a team', ['api'], ['between']],
        ['about several teams', ['api', 'docs'], ['old', 'Every write is a LINK', 'between', 'last']],
        ['about a category', ['--category', 'gotcha'], ['old']],
        [
          'about several categories',
          ['--category', 'gotcha,pattern', '--category', 'correction'],
          ['old', 'Every write is a LINK', 'last'],
        ],
        ['about a tag', ['--tag', 'locks'], ['old', 'between']],
        ['about several tags, which it must have all', ['--tag', 'locks', '--tag', 'storage'], ['old']],
        ['about several tags with a comma', ['--tag', 'locks, storage'], ['old']],
        ['about at least this confidence', ['--confidence', 'medium'], ['old', 'between', 'last']],
        ['about the highest confidence', ['--confidence', 'high'], ['old', 'last']],
        ['since an age', ['--since', '150m'], ['between', 'last']],
        ['since days', ['--since', '2d'], ['Every write is a LINK', 'between', 'last']],
        ['until an age', ['--until', '2.5h'], ['old', 'Every write is a LINK']],
        ['between two moments', ['--since', ago(4), '--until', ago(1)], ['Every write is a LINK', 'between']],
        ['about words, in whatever case', ['--text', 'is a link'], ['Every write is a LINK']],
        [
          'about all of that',
          ['docs', '--tag', 'storage', '--confidence', 'high', '--until', '3d', '--text', 'O'],
          ['old'],
        ],
        ['that nothing answers', ['--text', 'unheard of'], []],
      ],
      8,
    ),
  )('%s', async (_, args, expected) => {
    expect(await found(...args)).toEqual(expected)
  })

  test.each(
    someOf(
      [
        [['--since', 'yesterday'], /such as 2026-11-20/],
        [['--since', '2026-02-30'], /such as 2026-11-20/],
        [['--since', '1h', '--until', '2h'], /--since is after --until/],
        [['--category', 'rumour'], /discovery, pattern, convention, gotcha, technique, correction/],
        [['--confidence', 'sure'], /low, medium, high/],
      ],
      2,
    ),
  )('that cannot be meant, %j, is refused', async (args, message) => {
    const { code, stderr } = await fed(root, ['learnings', ...args])
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })

  test('about a team that is none ends with 4', async () => {
    expect((await fed(root, ['learnings', 'nobody'])).code).toBe(4)
  })
})

test.each([
  ['category', ['--category', 'rumour']],
  ['confidence', ['--confidence', 'sure']],
])('a %s of nobody’s is not logged', async (_, args) => {
  const root = await newFederation({ docs: undefined })
  expect((await fed(root, ['learn', 'x', '--team', 'docs', ...args])).code).toBe(2)
  expect(await fedDone(root, ['learnings'])).toBe('no findings\n')
})
