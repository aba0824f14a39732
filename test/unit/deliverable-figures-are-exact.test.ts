// Proves what is counted and what is not, and how sentences and anchors are told; fails when a figure that
// telemetry reports, or a fact that the check relies on, is off by one.
import { describe, expect, it } from 'vitest'
import { measure } from '../../src/records/deliverable/rule.ts'
import { readDeliverable } from '../../src/records/deliverable/read-deliverable.ts'
import { countSentences } from '../../src/records/deliverable/sentences.ts'
import { countWords } from '../../src/records/deliverable/inline.ts'
import { goodDeliverable } from '../support/good-deliverable.ts'

describe('figures', () => {
  it('of a whole document', () => {
    expect(measure(goodDeliverable)).toEqual({
      sizeBytes: Buffer.byteLength(goodDeliverable),
      sections: 3,
      codeExamples: 1,
      diagrams: 0,
      words: 41,
    })
  })

  it('diagrams are no code examples, empty and indented blocks neither', () => {
    const blocks = [
      '```mermaid\na\n```',
      '```PlantUML\na\n```',
      '```text\n@startuml\n```',
      '```puml\na\n```',
      '```ts\n\n```',
      '    x',
      '~~~py\nx\n~~~',
    ]
    expect(measure(blocks.join('\n\n'))).toMatchObject({ codeExamples: 1, diagrams: 4 })
  })

  it('the size is in bytes of UTF-8, the byte order mark included', () => {
    expect(measure('\u{FEFF}# é').sizeBytes).toBe(7)
  })

  it('deeper headings, titles and quoted headings are no sections', () => {
    expect(measure('# a\n## b\n### c\n> ## d\n\n## e').sections).toBe(2)
  })
})

describe('the model', () => {
  it('holds what the document says', () => {
    const model = readDeliverable(`---\ntags: [a]\n---\n${goodDeliverable}`)
    expect(model.frontMatter).toEqual({ data: { tags: ['a'] }, error: undefined, lines: 3 })
    expect(model.title).toMatchObject({ text: 'The order service', line: 4 })
    expect(model.summary).toEqual({
      line: 6,
      text: 'The order service accepts orders, e.g. from shop.ts. It writes them to one database!',
      sentences: 2,
    })
    expect(model.tableOfContents?.links.map(({ target, line }) => [target, line])).toEqual([
      ['#how-it-works', 10],
      ['#next-steps', 11],
    ])
    expect(
      model.sections.map(({ heading, level, line, role, words }) => [heading, level, line, role, words]),
    ).toEqual([
      ['Contents', 2, 8, 'contents', 5],
      ['How it works', 2, 13, 'body', 4],
      ['In detail', 3, 21, 'body', 4],
      ['Next steps', 2, 26, 'next-steps', 3],
    ])
    expect(model.code).toEqual([{ language: 'ts', line: 17, lines: 1, fenced: true, filled: true }])
    expect(model.nextSteps).toBe(true)
  })

  it('a document that begins with a thematic break has no front matter', () => {
    expect(readDeliverable('---\n\nSome text.\n\n---\n').frontMatter.lines).toBe(0)
  })
})

describe('sentences', () => {
  it.each([
    ['', 0],
    ['...', 0],
    ['No full stop', 1],
    ['One. Two.', 2],
    ['One. And a rest', 2],
    ['It runs on Node.js 20.19, e.g. from deliverable.md, i.e. here. Yes.', 2],
    ['See v1.5.2. Then go.', 2],
    ['Lists, maps, etc. are fine. Good.', 2],
    ['Lists, maps, etc. They work.', 2],
    ['npm runs it. xstate decides.', 2],
    ['It waits... and goes. Done…', 2],
    ['It waits… Then it goes.', 2],
    ['Really?! Yes!', 2],
    ['"Done." he said. (So it was.) "Good."', 3],
    ['J. Smith and the U.S. Navy wrote it. Fine.', 2],
    ['See fig. 3 and no. 4. The answer is no. Then stop.', 3],
    ['1. First thing. Then the second.', 2],
    ['It was written in 2024. It works.', 2],
    ['これは文です。二つ目です！', 2],
    ['यह एक वाक्य है। यह दूसरा है।', 2],
    ['Wait! why? because.', 1],
  ])('%j has %i', (text, count) => {
    expect(countSentences(text)).toBe(count)
  })
})

describe('words and anchors', () => {
  it.each([
    ['', 0],
    ['one two\nthree', 3],
    ["it's a - b | c", 4],
    ['src/a.ts is 1.5', 3],
    ['日本語 text', 4],
  ])('%j has %i words', (text, count) => {
    expect(countWords(text)).toBe(count)
  })

  it('anchors are those of GitHub, repeated ones numbered past those that exist', () => {
    const headings = ['Ab, C & D!', 'a', 'A', 'a-1', 'a', 'snake\\_case (x)', 'Größe — 日本']
    const { headings: read } = readDeliverable(headings.map((heading) => `## ${heading}`).join('\n\n'))
    expect(read.map(({ slug }) => slug)).toEqual([
      ...['ab-c--d', 'a', 'a-1', 'a-1-1', 'a-2', 'snake_case-x', 'größe--日本'],
    ])
  })
})
