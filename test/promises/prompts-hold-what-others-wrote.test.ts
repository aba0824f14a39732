// Proves that whatever others write, a prompt's Markdown is parsed to the same headings, paragraphs and lists as with
// a harmless text in its place: what differs is one piece of code, after its author's name, of a bounded length, with
// nothing in it that is not seen. It fails when a text closes its fence, becomes a heading or a sentence of fed's, or
// stands there without end. It says nothing about what a model makes of it.
import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { furtherPrompt } from '../../src/agents/briefing/write-prompt.ts'
import { injections } from '../support/injections.ts'
import {
  calm,
  kinds,
  launched,
  mission,
  names,
  signal,
  standing,
  type Prompt,
} from '../support/prompts-with-words.ts'
import { seed, tries } from '../support/thorough.ts'

interface Node {
  readonly type: string
  readonly value?: string
  readonly depth?: number
  readonly children?: readonly Node[]
}

/** A prompt's nodes in their order, without what fed says of a cut. */
function nodesOf(prompt: string): Node[] {
  const flat = ({ children = [], ...node }: Node): Node[] => [node, ...children.flatMap(flat)]
  const tree = fromMarkdown(prompt, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node
  const isCut = ({ children: [first] = [] }: Node) =>
    first?.type === 'text' && first.value?.startsWith('(cut here, of ') === true
  return (tree.children ?? [])
    .filter((node) => !isCut(node))
    .flatMap(flat)
    .map(plain)
}

const plain = ({ type, value, depth }: Node): Node => ({
  type,
  ...(value === undefined ? {} : { value }),
  ...(depth === undefined ? {} : { depth }),
})

const harmless = 'some harmless words'
const unseen = /(?!\uFE0F)[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{DI}]|(?![\n\t])\p{Cc}/u

/** A kind's prompt with a harmless text, and its nodes. */
const calmPrompts = new Map<Prompt, { readonly text: string; readonly nodes: readonly Node[] }>()

function calmlyBy(prompt: Prompt) {
  const text = prompt(harmless)
  const known = calmPrompts.get(prompt) ?? { text, nodes: nodesOf(text) }
  calmPrompts.set(prompt, known)
  return known
}

/** The nodes of a prompt with the text that are not those of a prompt with a harmless one. */
function differences(prompt: Prompt, text: string): Node[] {
  const [calmly, nodes] = [calmlyBy(prompt).nodes, nodesOf(prompt(text))]
  expect(nodes.map(({ type }) => type)).toEqual(calmly.map(({ type }) => type))
  return nodes.filter((node, index) => JSON.stringify(node) !== JSON.stringify(calmly[index]))
}

function expectHeld(prompt: Prompt, text: string, type: string, longest: number): void {
  const written = prompt(text)
  // a plain name is a word of the sentence
  if (type === 'inlineCode' && /^[\w./:@+=,-]+$/.test(text)) return
  const differing = differences(prompt, text)
  expect(differing.length).toBeLessThanOrEqual(1)
  for (const node of differing) expect(node.type).toBe(type)
  expect(unseen.test(written)).toBe(false)
  // itself, and a fence on both sides
  expect(written.length - calmlyBy(prompt).text.length).toBeLessThan(3 * longest + 200)
}

/** A text of pieces that mean something in Markdown, or of any characters. */
const anyText = fc.oneof(
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '```',
          '~~~',
          '`',
          '#',
          '\n',
          '\r',
          '\n\n',
          '<!--',
          '-->',
          '---',
          '    ',
          '> ',
          '- ',
          '\t',
        ),
        fc.string({ unit: 'binary', maxLength: 6 }),
      ),
      { maxLength: 40 },
    )
    .map((pieces) => `x${pieces.join('')}`),
  fc
    .constantFrom(...Object.values(injections).filter(({ length }) => length < 10_000))
    .chain((text) =>
      fc.tuple(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 })).map(([a, b]) => a + text + b),
    ),
)

test('the corpus has at least forty texts, each of its own', () => {
  expect(new Set(Object.values(injections)).size).toBe(Object.keys(injections).length)
  expect(Object.keys(injections).length).toBeGreaterThanOrEqual(40)
})

test.each(Object.entries(kinds))('%s: no text of the corpus leaves its fence', (_, [, prompt]) => {
  for (const text of Object.values(injections)) expectHeld(prompt, text, 'code', 2000)
})

test.each(Object.entries(names))('%s: no text of the corpus is more than a name', (_, [longest, prompt]) => {
  for (const text of Object.values(injections)) {
    // no file has a longer one
    const name = longest === Infinity ? text.slice(0, 255) : text
    expectHeld(prompt, name, 'inlineCode', longest === Infinity ? 255 * 12 : longest * 12)
  }
})

test('nor does any other text', () => {
  const everyKind = Object.values(kinds).map(([, prompt]) => [prompt, 'code', 2000] as const)
  const everyName = Object.values(names).map(([, prompt]) => [prompt, 'inlineCode', 20_000] as const)
  fc.assert(
    fc.property(anyText, fc.constantFrom(...everyKind, ...everyName), (text, [prompt, type, longest]) => {
      expectHeld(prompt, text, type, longest)
    }),
    { seed, numRuns: tries(3000) },
  )
})

test.each(Object.entries(kinds))('%s: its author is named right before it', (_, [author, prompt]) => {
  const { children = [] } = fromMarkdown(prompt(harmless)) as Node
  const place = children.findIndex(({ type, value }) => type === 'code' && value?.includes(harmless) === true)
  expect(JSON.stringify(children[place - 1])).toContain(author)
})

test('what is longer is cut, and it is said how all of it is read', () => {
  const prompt = launched({ mail: [signal({ subject: 's', body: 'x'.repeat(5000) })] })
  expect(prompt).toMatch(
    /x\n```\n\n\(cut here, of 5012 characters; `fed read docs 3f2a9b1c` shows all of it\)/,
  )
})

test('what the person at the federation wrote stands as it is, and leaves nothing open', () => {
  const body = 'Read [this](x), then:\n\n- answer\n\n## Form\n\nshort'
  expect(launched({ status: standing({ mission: { ...mission, body } }) })).toContain(
    `# Mission\n\n${body}\n\n# How`,
  )
  const headings = (prompt: string) => nodesOf(prompt).filter(({ type }) => type === 'heading').length
  for (const open of ['Mend:\n```\nx', '~~~', 'see <!-- here', '<script>', 'x\n<?']) {
    const given = { ...mission, body: open }
    const more = { mission: given, instructions: [given] }
    const prompts = [launched({ status: standing(more) }), furtherPrompt(standing(more), [], calm.originOf)]
    const calmly = { mission, instructions: [mission] }
    expect(prompts.map(headings)).toEqual([
      headings(launched({ status: standing(calmly) })),
      headings(furtherPrompt(standing(calmly), [], calm.originOf)),
    ])
    for (const prompt of prompts) expect(prompt).toContain(open)
  }
})
