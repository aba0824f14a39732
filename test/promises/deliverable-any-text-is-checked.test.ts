// Proves that no text makes the check throw or stall, and that problems come sorted and within the document;
// fails when hostile input overflows a stack or costs more than linear time (the run then never ends in time).
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDeliverable } from '../../src/records/deliverable/check-markdown.ts'
import { measure } from '../../src/records/deliverable/rule.ts'
import { goodDeliverable } from '../support/good-deliverable.ts'
import { someOf, tries } from '../support/thorough.ts'

const fragments = [
  ...[
    '\n',
    '\n\n',
    '\r',
    '\t',
    '    ',
    '- ',
    '* ',
    '1) ',
    '> ',
    '# ',
    '## Next steps',
    '---',
    '---\n',
    '```',
    '~~~ts',
    'a: [',
    '|-|',
    '| a |',
  ],
  ...[
    '[',
    ']',
    '](',
    '(#a)',
    '![',
    '<',
    '<!--',
    '-->',
    '<a b="',
    '`',
    '``',
    '\\',
    '&#9;',
    '[a]: b',
    '[^a]: ',
    'https://a.b',
    '。',
    'a.',
    '\0',
    '\u{FEFF}',
    '\uD800',
    '😀',
    'é',
    'w '.repeat(501),
  ],
]

describe('any text is checked', () => {
  it('without throwing, with problems sorted by line', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(fc.constantFrom(...fragments), { maxLength: 30 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(text, fc.boolean(), (markdown, codebaseHasCode) => {
        const problems = checkDeliverable(markdown, { codebaseHasCode })
        const lines = problems.map(({ line }) => line)
        expect(lines).toEqual(lines.toSorted((a, b) => a - b))
        const last = markdown.split(/\r\n|\r|\n/).length
        expect(lines.every((line) => Number.isInteger(line) && line >= 1 && line <= last)).toBe(true)
        const figures = Object.values(measure(markdown))
        expect(figures.every((figure) => Number.isInteger(figure) && figure >= 0)).toBe(true)
      }),
      { numRuns: tries(2_000) },
    )
  })

  const half = 500_000
  const pieces = [
    '>',
    '- ',
    '> - ',
    '[',
    '[a](',
    '![](',
    '*a **b ',
    '_',
    '`',
    '<a b="',
    '<!--',
    '&',
    '|',
    '. ',
    '[a]: b\n',
    '1. ',
    '```\n',
    '# ',
  ]
  it.each(someOf(pieces, 6))('half a megabyte of %j', (piece) => {
    const text = piece.repeat(half / piece.length)
    expect(checkDeliverable(text, { codebaseHasCode: true }).length).toBeGreaterThan(0)
  })

  it('backtick runs of every length', () => {
    const text = Array.from({ length: 1_000 }, (_, length) => `${'`'.repeat(length)}x`).join('')
    expect(checkDeliverable(text, { codebaseHasCode: true }).length).toBeGreaterThan(0)
  })

  it('containers a thousand deep, then blank lines', () => {
    const text = `${'- '.repeat(1_000)}a${'\n'.repeat(100_000)}`
    expect(checkDeliverable(text, { codebaseHasCode: true }).length).toBeGreaterThan(0)
  })

  it.each(someOf(['', 'x '], 1))('a tag with millions of attributes behind %j', (before) => {
    const text = `${before}<a${' b'.repeat(2_500_000)}`
    expect(checkDeliverable(text, { codebaseHasCode: true }).length).toBeGreaterThan(0)
  })

  it('footnote marks that never close', () => {
    const text = `[^a]: b\n\n${'[^a'.repeat(half / 3)}`
    expect(checkDeliverable(text, { codebaseHasCode: true }).length).toBeGreaterThan(0)
  })

  it('front matter that multiplies itself by aliases', () => {
    const text = `---\n${'a: &a [*a, *a]\n'.repeat(3_000)}---\n${goodDeliverable}`
    expect(checkDeliverable(text, { codebaseHasCode: true }).map(({ rule }) => rule)).toContain(
      'front-matter',
    )
  })

  it('two megabytes that meet the standards', () => {
    const part =
      'Text with [a link](src/a.ts), `code` and more.\n\n- one\n- two\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nx\n```\n\n'
    const text = goodDeliverable.replace(
      '### In detail\n',
      () => `### In detail\n\n${part.repeat(2_000_000 / part.length)}`,
    )
    expect(checkDeliverable(text, { codebaseHasCode: true })).toEqual([])
  })
})
