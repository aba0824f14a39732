// Proves our Markdown reader against the reference parser (micromark): same headings, code, lists and links on
// the same lines for arbitrary documents; fails when the two read any of thousands of documents differently.
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { readDeliverable } from '../src/deliverable/read.ts'

type Root = ReturnType<typeof fromMarkdown>
type Nodes = Root | Root['children'][number]

interface Reading {
  headings: string[]
  code: string[]
  lists: string[]
  links: string[]
}

const containers = new Set(['blockquote', 'listItem', 'footnoteDefinition'])

function reference(source: string): Reading {
  const reading: Reading = { headings: [], code: [], lists: [], links: [] }
  const visit = (node: Nodes, nested: boolean): void => {
    const line = node.position?.start.line
    const written = source.slice(node.position?.start.offset, node.position?.end.offset)
    if (node.type === 'heading' && !nested) reading.headings.push(`${line} ${node.depth}`)
    else if (node.type === 'code') reading.code.push(`${line} ${node.lang ? 'tagged' : 'bare'}`)
    else if (node.type === 'list')
      reading.lists.push(`${line} ${/^(?:[-+*]|\d+[.)])/.exec(written)?.[0].slice(-1)}`)
    else if (node.type === 'link') {
      const style = written.startsWith('[') ? 'inline' : written.startsWith('<') ? 'autolink' : undefined
      // The reference gives bare addresses no position where it finds them only afterwards.
      reading.links.push(style === undefined || line === undefined ? 'bare' : `${line} ${style}`)
    } else if (node.type === 'image') reading.links.push(`${line} image`)
    else if (node.type === 'linkReference' || node.type === 'imageReference')
      reading.links.push(`${line} reference`)
    if ('children' in node)
      for (const child of node.children) visit(child, nested || containers.has(node.type))
  }
  visit(fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }), false)
  return sorted(reading)
}

function ours(source: string): Reading {
  const { headings, codeBlocks, lists, links } = readDeliverable(source)
  return sorted({
    headings: headings.map(({ line, level }) => `${line} ${level}`),
    code: codeBlocks.map(({ line, info }) => `${line} ${info === '' ? 'bare' : 'tagged'}`),
    lists: lists.map(({ line, marker }) => `${line} ${marker}`),
    links: links.map(({ line, style, image }) =>
      style === 'bare' ? style : `${line} ${image && style === 'inline' ? 'image' : style}`,
    ),
  })
}

function sorted(reading: Reading): Reading {
  return {
    headings: reading.headings.toSorted(),
    code: reading.code.toSorted(),
    lists: reading.lists.toSorted(),
    links: reading.links.toSorted(),
  }
}

/** The smallest document made of the fragments that the two read differently. */
function disagreement(fragments: readonly string[], end: string, excluded: RegExp): string | undefined {
  const text = fc.array(fc.constantFrom(...fragments), { maxLength: 14 }).map((parts) => parts.join('') + end)
  const agrees = fc.property(text, (source) => {
    fc.pre(!excluded.test(source))
    return isDeepStrictEqual(ours(source), reference(source))
  })
  const { failed, counterexample, numRuns } = fc.check(agrees, { numRuns: 1_500 })
  return failed ? `after ${numRuns} runs: ${JSON.stringify(counterexample)}` : undefined
}

describe('the reader agrees with CommonMark and GFM', () => {
  it.each([
    '> a\n    > - b',
    '>     > - b',
    'a\n<b>\n* c\n',
    'a\n<div>\n* c\n',
    '[z]((u )\n\n[z](((u)))',
    '- a\n\n  - b\n\n      c\n\n    d\n* e',
    '-\n  a\n-\n\n  b',
    '[a]: /u\n===\n\n[a]',
    '| a | b |\n| - |\n\n| a |\n| - |\n| https://a.b',
    '````\n```\n[a](b)\n````\n[a](b)',
    '1. a\n2) b\n   1. c',
    '\t- a\n\n-\tb\n\n\t\tc',
  ])('on %j', (source) => {
    expect(ours(source)).toEqual(reference(source))
  })

  // Items are not empty and begin at 1: after any block micromark treats others as if they interrupted a
  // paragraph, where CommonMark §5.2 lets them begin a list.
  it('on blocks', () => {
    const found = disagreement(
      [
        '\n',
        '\n',
        '\n\n',
        '- q',
        '* q',
        '+ q',
        '1. q',
        '1) q',
        '> ',
        '  ',
        '    ',
        '   ',
        ' ',
        '\t',
        '# ',
        '## ',
        '#',
        '```',
        '~~~',
        '``` ts',
        'a',
        'b c',
        '***',
        '<div>',
        '<!-- ',
        '-->',
        '</div>',
        '<b>',
        '| a | b |',
        '| - | - |',
        '[a](b)',
        '`x`',
        '[^1]: q',
        '- - q',
        '===',
        '---',
      ],
      '\n\nend\n',
      /^$/,
    )
    expect(found).toBeUndefined()
  })

  // `[r][` without a label behind it is a shortcut reference in CommonMark §6.3, and none in micromark;
  // behind a bracket that never closes GitHub links an address, and micromark does not;
  // an empty item in a quote right behind a paragraph is one in CommonMark only.
  it('on inline text', () => {
    const found = disagreement(
      [
        'a',
        'b ',
        '*',
        '_',
        '`',
        '``',
        '[',
        '][z]',
        '(',
        ')',
        '](u)',
        '](<v>)',
        '![',
        '<',
        '>',
        '<http://x.y>',
        'http://q.r ',
        '<b c="d">',
        '<!-- ',
        '-->',
        '\n',
        '!',
        '&amp;',
        '"t"',
        ' ',
        '[r]',
        '[^f]',
        'www.e.f ',
        '|',
      ],
      '\n\n[r]: /u\n\n[^f]: x\n',
      /\]\[(?!z\])|\[(?!r\]|\^f\])[^]*(?:q\.r|www)|^>.*\*\s*$/m,
    )
    expect(found).toBeUndefined()
  })
})
