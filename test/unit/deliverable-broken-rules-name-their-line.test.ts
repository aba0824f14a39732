// Proves that every rule of the standards is broken by what breaks it, alone and at the right line, and by
// nothing that only looks like it; fails when a rule is missed, raised without cause, or placed elsewhere.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDeliverable, rules } from '../../src/records/deliverable/check-markdown.ts'
import { goodDeliverable, withReplaced } from '../support/good-deliverable.ts'

const inCode = { codebaseHasCode: true }
const named = (markdown: string, standards = inCode) =>
  checkDeliverable(markdown, standards).map(({ rule, line }) => `${rule} ${line}`)

const detail = '### In detail\n'
/** Text put under "In detail", which stands on line 18: the text begins on line 20. */
const inserted = (text: string) => withReplaced(detail, `${detail}\n${text}\n`)
const longText = `${'word '.repeat(470)}\n`

const broken: [what: string, markdown: string, problems: string[]][] = [
  ['nothing at all', '', ['not-empty 1']],
  ['blank lines, a byte order mark and a comment', '\u{FEFF}\r\n \n<!-- later -->\n', ['not-empty 1']],
  ['front matter only', '---\ntitle: x\n---\n', ['not-empty 1']],
  ['front matter that is no YAML', `---\na: [\n---\n${goodDeliverable}`, ['front-matter 1']],
  ['front matter that is a text', `---\n"a: b"\n---\n${goodDeliverable}`, ['front-matter 1']],

  ['no title', withReplaced('# The order service\n\n', ''), ['one-title 3']],
  [
    'a second title',
    withReplaced('## How it works', '# How it works'),
    ['heading-style 18', 'one-title 10', 'sections 1'],
  ],
  ['a section before the title', `## Early\n\nText.\n\n${goodDeliverable}`, ['one-title 1']],
  ['an empty title', withReplaced('# The order service', '#'), ['one-title 1']],

  ['no summary', withReplaced(/The order.*!\n/.exec(goodDeliverable)?.[0] ?? '', ''), ['summary 1']],
  ['one sentence', withReplaced(' It writes them to one database!', ''), ['summary 3']],
  ['four sentences', withReplaced('It writes', 'One. Two. It writes'), ['summary 3']],
  [
    'a headed summary of one sentence',
    withReplaced(/The order.*!\n/.exec(goodDeliverable)?.[0] ?? '', '## Summary\n\nOne sentence only.\n'),
    ['summary 5'],
  ],

  [
    'no contents above 500 words',
    withReplaced('## Contents\n\n- [How it works](#how-it-works)\n- [Next steps](#next-steps)\n', longText),
    ['table-of-contents 1'],
  ],
  [
    'contents without links above 500 words',
    inserted(longText)
      .replace('[How it works](#how-it-works)', 'How it works')
      .replace('[Next steps](#next-steps)', 'Next'),
    ['table-of-contents 5'],
  ],
  [
    'contents with one link above 500 words',
    inserted(longText).replace('[Next steps](#next-steps)', 'Next'),
    ['table-of-contents 5'],
  ],
  ['a contents link to no heading', withReplaced('(#next-steps)', '(#nextsteps)'), ['table-of-contents 8']],
  ['a repeated heading without its number', inserted('[a](#in-detail-1)'), ['link-style 20']],

  [
    'no section',
    withReplaced('## How it works', '## Summary')
      .replace('(#how-it-works)', '(#in-detail)')
      .replace(
        'The order service accepts orders, e.g. from `shop.ts`. It writes them to one database!\n',
        '',
      ),
    ['sections 1', 'summary 11'],
  ],
  ['a section of level 3 only', withReplaced('## How it works', '### How it works'), ['sections 1']],

  ['no code', withReplaced('```ts\nreply.send(order)\n```\n', ''), ['code-examples 1']],
  ['an empty code block', withReplaced('reply.send(order)\n', '\n'), ['code-examples 1']],
  ['a diagram for an example', withReplaced('```ts', '```mermaid'), ['code-examples 1']],

  [
    'no next steps',
    withReplaced('## Next steps', '## The end').replace('(#next-steps)', '(#the-end)'),
    ['next-steps 25'],
  ],
  ['empty next steps', withReplaced('- Retry failed writes.\n', '<!-- nothing -->\n'), ['next-steps 23']],
  ['next steps that are an empty item', withReplaced('- Retry failed writes.\n', '-\n'), ['next-steps 23']],

  [
    'a heading underlined by =',
    inserted('Big\n===').replace('# The order service', 'X'),
    ['heading-style 20', 'one-title 5', 'summary 20'],
  ],
  [
    'empty next steps before another section',
    withReplaced('- Retry', '## More\n\n- Retry'),
    ['next-steps 23'],
  ],
  ['a heading underlined by -', inserted('Small\n---'), ['heading-style 20']],
  ['a skipped level', withReplaced(detail, '#### In detail\n'), ['heading-style 18']],
  ['a heading without its space', inserted('##Tight'), ['heading-style 20']],

  ['a fence without a language', inserted('```\nx\n```'), ['code-fence-language 20']],
  ['a tilde fence without a language', inserted('~~~\nx\n~~~'), ['code-fence-language 20']],
  [
    'a fence without a language in a list in a quote',
    inserted('> - a\n>   ```\n>   x\n>   ```'),
    ['code-fence-language 21'],
  ],
  ['indented code', inserted('    x = 1'), ['code-fence-language 20']],
  [
    'a fence that only a shorter one follows',
    `${goodDeliverable}\n\`\`\`\`ts\nx\n\`\`\`\n`,
    ['fence-closed 27'],
  ],
  ['a fence that the end of its quote ends', inserted('> ```ts\n> x'), ['fence-closed 20']],

  ['a star list', inserted('* a\n* b'), ['list-marker 20']],
  ['a plus list', inserted('text\n\n+ a'), ['list-marker 22']],
  ['a list with 1)', inserted('1) a\n2) b'), ['list-marker 20']],
  ['a star list in a dash list', inserted('- a\n  * b\n- c'), ['list-marker 21']],
  ['a star list in a quote', inserted('> text\n>\n> * a'), ['list-marker 22']],
  ['a star task list', inserted('* [ ] a'), ['list-marker 20']],

  ['a bare address', inserted('text\nsee https://a.example/b.'), ['link-style 21']],
  ['a bare address in a table', inserted('| a | b |\n| - | - |\n| x | www.a.example |'), ['link-style 22']],
  ['a bare address below a code span', inserted('`a\nb` https://a.example'), ['link-style 21']],
  [
    'an autolink below a target of two lines',
    inserted('[a](\n#in-detail) *b\n<https://a.example>*'),
    ['link-style 22'],
  ],
  ['an autolink', inserted('<https://a.example>'), ['link-style 20']],
  ['a mail autolink', inserted('- <me@a.example>'), ['link-style 20']],
  ['a reference link', inserted('a [text][x]\n\n[x]: https://a.example'), ['link-style 20']],
  ['a collapsed reference', inserted('[x]: /y\n\n[X][]'), ['link-style 22']],
  ['a shortcut reference image', inserted('![x]\n\n[x]: /y "title"'), ['link-style 20']],
  ['a link without a target', inserted('[x]()'), ['link-style 20']],
  ['a link without a text', inserted('[](x)'), ['link-style 20']],
  ['a link to no heading', inserted('[x](#nowhere)'), ['link-style 20']],
]

const fine: [what: string, markdown: string][] = [
  ['the document itself', goodDeliverable],
  ['with carriage returns and a byte order mark', `\u{FEFF}${goodDeliverable.replaceAll('\n', '\r\n')}`],
  ['with front matter', `---\ntags: [a]\ncategory: b\n---\n\n${goodDeliverable}`],
  ['with a long text and contents', inserted(longText)],
  ['contents without a heading', inserted(longText).replace('## Contents\n', '')],
  [
    '500 words of code without contents',
    inserted(`\`\`\`text\n${longText}\`\`\``).replace(/## Contents[^]*?(?=## How)/, ''),
  ],
  ['a headed summary', withReplaced('The order', '## TL;DR\n\nThe order')],
  ['a summary of two paragraphs', withReplaced(' It writes', '\n\nIt writes')],
  [
    'an overview besides a summary',
    withReplaced('## How it works', '## Overview').replace('#how-it-works', '#overview'),
  ],
  [
    'recommendations',
    withReplaced('## Next steps', '### 4. Recommendations').replace('#next-steps', '#4-recommendations'),
  ],
  ["what's next", withReplaced('## Next steps', "## What's next?").replace('#next-steps', '#whats-next')],
  ['follow-ups', withReplaced('## Next steps', '## Follow-ups').replace('#next-steps', '#follow-ups')],
  ['next steps with parts of their own', withReplaced('- Retry', '### First\n\n- Retry')],
  ['repeated headings', inserted('### In detail\n\n[b](#in-detail-1)')],
  [
    'headings with punctuation, code and marks',
    inserted('### `a_b()` & *c* — _d_ (É)!\n\n[x](#a_b--c--d-é) [y](#a_b--c--d-%C3%A9)'),
  ],
  ['an HTML anchor', inserted('<a id="here"></a>\n\n[x](#here) [top](#top)')],
  [
    'violations in comments',
    inserted('<!--\n* a\nhttps://a.example\n# b\n-->\n\ntext <!-- https://a.example --> text'),
  ],
  [
    'violations in code spans',
    inserted('`https://a.example` and `` `<https://b.example>` [x][y] ``\nand `* a\n2) b`'),
  ],
  ['violations in fences', inserted('~~~~text\n* a\n# b\n```\nhttps://a.example\n    x\n~~~\n~~~~')],
  ['violations in tables of code', inserted('| a | b |\n| --- | --- |\n| `* x` | `https://a.example` |')],
  [
    'addresses in targets, titles, texts and tags',
    inserted('[https://a.example](https://a.example "https://b.example") <img src="https://c.example">'),
  ],
  ['escaped marks', inserted('\\* a\n\\[x][y] \\<https:// 1\\) x')],
  ['thematic breaks and emphasis', inserted('***\n\n* * *\n\n*a* **b** * c')],
  [
    'nested lists, lists in quotes, task lists',
    inserted('- a\n  1. b\n     - [x] c\n\n> - d\n>   - e\n>\n> 1. f'),
  ],
  ['a paragraph indented in a list', inserted('- a\n\n      b'.replace('      ', '  '))],
  ['lazy lines that look like markers', inserted('text\n2) not a list\n    * not code')],
  ['footnotes', inserted('Claim.[^1]\n\n[^1]: Source, see below.\n\n    More of it.')],
  [
    'a summary with footnotes',
    `${withReplaced('database!', 'database.[^1][^b] It is small.[^1]')}\n[^1]: Source.\n[^b]: Other.\n`,
  ],
  ['a badge with a link', inserted('[![Build](build.svg)](builds.md)')],
  ['brackets that are no links', inserted('a[0][1], [x][y], [ ], arr[i] and #hash')],
  ['a definition that nothing uses', inserted('[x]: https://a.example')],
  ['a heading in a quote', inserted('> # Quoted title\n>\n> #### Deep')],
  ['a numbered list that goes on', inserted('7. a\n8. b')],
]

describe('a broken rule is named with its line', () => {
  it.each(broken)('%s', (_, markdown, problems) => {
    expect(named(markdown).toSorted()).toEqual(problems.toSorted())
  })

  it('every rule is broken by some case', () => {
    const seen = new Set(broken.flatMap(([, , problems]) => problems.map((problem) => problem.split(' ')[0])))
    expect(rules.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([])
  })

  it('every message says where the file says it and what to do', () => {
    for (const [, markdown] of broken) {
      for (const { message, line } of checkDeliverable(markdown, inCode)) {
        expect(message.length).toBeGreaterThan(20)
        expect(line).toBeLessThanOrEqual(markdown.split('\n').length)
      }
    }
  })
})

describe('what keeps the rules is not flagged', () => {
  it.each(fine)('%s', (_, markdown) => {
    expect(checkDeliverable(markdown, inCode)).toEqual([])
  })

  it('no code is asked for where the codebase has none', () => {
    const markdown = withReplaced('```ts\nreply.send(order)\n```\n', '')
    expect(named(markdown, { codebaseHasCode: false })).toEqual([])
  })
})

describe('problems do not hide each other', () => {
  const faults = [
    '* a',
    'https://a.example',
    '```\nx\n```',
    '+ a',
    '[x](#nowhere)',
    '##Tight',
    '<https://a.example>',
  ]

  it('each of several faults is named at its own line, moved by front matter and line ends', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...faults), { maxLength: 12 }),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n', '\r'),
        (chosen, front, end) => {
          const head = front ? '---\na: 1\n---\n' : ''
          const document = `${head}${inserted(chosen.map((fault) => `${fault}\n\nText.\n`).join('\n'))}`
          let line = 20 + (front ? 3 : 0)
          const expected = chosen.map((fault) => {
            const [own] = named(inserted(fault))
            const problem = `${own?.split(' ')[0]} ${line}`
            line += fault.split('\n').length + 3
            return problem
          })
          expect(named(document.replaceAll('\n', end))).toEqual(expected)
        },
      ),
      { numRuns: 100 },
    )
  })
})
