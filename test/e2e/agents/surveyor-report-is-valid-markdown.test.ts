// Proves that every report meets the documentation standards whatever names and texts it quotes; fails when one escapes into Markdown or Mermaid.
import * as fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { checkDeliverable } from '../../../src/records/deliverable/check-markdown.ts'
import { readMission } from '../../../src/surveyor/read-mission.ts'
import { renderReport } from '../../../src/surveyor/render-report.ts'
import { code, fence, prose, table } from '../../../src/surveyor/report/write-markdown.ts'
import { labelText } from '../../../src/surveyor/report/draw-flowchart.ts'
import { survey } from '../../../src/surveyor/survey.ts'
import { repositoryOf } from '../../support/repository.ts'
import { tries } from '../../support/thorough.ts'

interface Tree {
  type: string
  value?: string
  children?: Tree[]
}
const parse = (markdown: string): Tree =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Tree
const plain = (tree: Tree): string => tree.value ?? (tree.children ?? []).map(plain).join('')
const nasty = fc.string({
  unit: fc.constantFrom(...'`*_[]<>#|\\!&;:~-+=.()"\'{}$ \nab1é'.split('')),
  minLength: 1,
  maxLength: 30,
})

test('a code span reads back as its text', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const tree = parse(`x ${code(text)} y`).children?.[0]
      expect(tree?.children?.map(({ type }) => type)).toEqual(['text', 'inlineCode', 'text'])
      expect(tree?.children?.[1]?.value?.trim()).toBe(text.replace(/\s+/g, ' ').trim())
    }),
  )
})

test('foreign prose stays one paragraph of text and code', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const tree = parse(`A: ${prose(text)}`)
      expect(tree.children?.map(({ type }) => type)).toEqual(['paragraph'])
      for (const { type } of tree.children?.[0]?.children ?? [])
        expect(['text', 'inlineCode']).toContain(type)
      const alone = parse(prose(text)).children ?? []
      expect(alone.every(({ type }) => type === 'paragraph')).toBe(true)
    }),
    { numRuns: tries(500) },
  )
})

test('a number alone opens no list', () => {
  for (const text of ['1.', '1)']) expect(parse(prose(text)).children?.[0]?.type).toBe('paragraph')
})

test('an address in foreign prose becomes a link with its target', () => {
  expect(prose('see https://example.org/a_b*c, then')).toBe(
    'see [example.org/a_b\\*c](https://example.org/a%5Fb%2Ac), then',
  )
})

test('a fenced block reads back as its text, and a table keeps its cells', () => {
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 4 }), (lines) => {
      const [block, ...others] = parse(fence('ts', lines.join('\n'))).children ?? []
      expect(others).toEqual([])
      expect(block?.value?.trimEnd()).toBe(lines.join('\n').trimEnd())
      const rows =
        parse(
          table(
            ['A', 'B'],
            lines.map((line) => [code(line), prose(line)]),
          ),
        ).children ?? []
      expect(rows.map(({ type }) => type)).toEqual(['table'])
      expect(rows[0]?.children?.every(({ children }) => children?.length === 2)).toBe(true)
    }),
    { examples: [[['\\\\|']], [['\\|']]] },
  )
})

test('a Mermaid label never ends its quotes or begins an entity of its own', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      const label = labelText(text)
      expect(label).not.toMatch(/["`<>\n\\]/)
      expect(label.replace(/#\d+;/g, (entity) => String.fromCodePoint(Number(entity.slice(1, -1))))).toBe(
        text.replace(/\p{Cc}/gu, ' '),
      )
    }),
  )
})

const HOSTILE = {
  'README.md':
    '# A `weird` [repo](x) <b>\n\n![badge](https://x.example/y.svg)\n\nThis *is* a **readme** with a | bar, `code`, <i>html</i> and https://example.org/a_b for everybody.\n',
  'src/a|b [c].ts':
    '/** Doc with ``` fence, | bar, <T> and {@link x}. */\nexport function odd() {\n  return `\n```\nfence in code\n```\n`\n}\n',
  'src/_under_ *star*.ts':
    "import { odd } from './a|b [c].ts'\n/** # not a heading */\nexport const star = odd\n",
  'docs/1. list.md': '## - heading | with [link](y)\n',
  'package.json': '{"name":"we|ird`name","description":"*bold* <script> https://example.org"}',
}

test.each([
  ['Document the architecture of this repository', true, HOSTILE],
  ['Explain odd stars', true, HOSTILE],
  ['List the *external* | `dependencies` in German [now](z)', true, HOSTILE],
  [
    'Document the architecture of this repository',
    false,
    {
      'README.md': '# Notes\n\nSome words about nothing but gardens and their weather.\n',
      'data/a.csv': '1,2\n',
    },
  ],
  [
    'Explain the weather',
    false,
    {
      'README.md': '# Notes\n\nSome words about nothing but gardens and their weather.\n',
      'data/a.csv': '1,2\n',
    },
  ],
  ['Document the architecture of this repository', false, { 'data.csv': '1\n' }],
  ['Document the architecture of this repository', false, { '.gitkeep': '' }],
  ['Document the architecture of this repository', true, { 'a.py': 'x = 1\n' }],
])('%s: meets the documentation standards (code: %s)', async (mission, codebaseHasCode, files) => {
  for (const committed of [true, false]) {
    const report = renderReport(
      await survey(repositoryOf(files as Record<string, string>, committed)),
      readMission('', mission),
    )
    expect(checkDeliverable(report, { codebaseHasCode })).toEqual([])
    expect(plain(parse(report))).toContain('without a language model')
  }
})
