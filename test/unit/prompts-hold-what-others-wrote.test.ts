// Proves that whatever others write, a prompt's Markdown is parsed to the same headings, paragraphs and lists as with
// a harmless text in its place: what differs is one piece of code, after its author's name, of a bounded length, with
// nothing in it that is not seen. It fails when a text closes its fence, becomes a heading or a sentence of fed's, or
// stands there without end. It says nothing about what a model makes of it.
import fc from 'fast-check'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import type { TeamContext } from '../../machines/team-event.ts'
import { profileOf } from '../../src/agents/briefing/agent-profile.ts'
import { furtherPrompt, launchPrompt, type PromptFacts } from '../../src/agents/briefing/write-prompt.ts'
import { builtIn } from '../../src/federation/catalogue.ts'
import type { FiledSignal } from '../../src/records/signals/mailbox.ts'
import { injections } from '../support/injections.ts'
import { seed, tries } from '../support/thorough.ts'

const archetype = builtIn.of('coding')
const at = '2026-11-20T23:05:01.000Z'
const id = '3f2a9b1c-0000-4000-8000-000000000001'
const mission = { signal: id, at, subject: 'Answer 43', body: '' }
const status: PromptFacts['status'] = {
  team: 'docs',
  domain: 'docs',
  archetype: 'coding',
  agent: 'x',
  state: 'implementing',
  accepts: [{ event: 'report.plan-ready', missing: [] }],
  status: 'active',
  finished: false,
  since: at,
  version: 3,
  missionNumber: 2,
  mission,
  target: 'main',
  instructions: [],
  failure: null,
  question: null,
  waits: false,
  checks: null,
  mailbox: { unacknowledged: 0, misaddressed: 0, quarantined: 0 },
  workspace: '/shop/.fed/worktrees/docs',
  deliverable: 'deliverable.md',
}
const calm: PromptFacts = {
  status,
  mail: [],
  authorOf: () => undefined,
  archetype,
  profile: profileOf(archetype.leadAgent),
  hasTools: true,
  context: { team: 'docs', mission, instructions: [], failure: null } satisfies TeamContext,
  playbook: 'domain-playbook.md',
  skills: ['domain-playbook.md', 'testing-standards.md'],
  schema: undefined,
  lastSession: undefined,
  accepted: [],
  earlier: undefined,
  branch: { name: 'fed/docs', target: 'main' },
}
const session = {
  mission: 2,
  number: 1,
  at,
  log: '/shop/1.log',
  end: { cause: 'ended', exitCode: 1 },
} as unknown as NonNullable<PromptFacts['lastSession']>
const earlier: NonNullable<PromptFacts['earlier']> = {
  number: 1,
  folder: '/shop/missions/1',
  deliverable: undefined,
  last: { subject: 'Answer 42', body: '', state: 'complete' },
}
const signal = (words: { subject: string; body: string }): FiledSignal => ({
  id,
  timestamp: at,
  from: 'api',
  to: 'docs',
  type: 'report',
  protocol: 'file-signal-v1',
  file: 'x.json',
  ...words,
})

const launched = (more: Partial<PromptFacts>) => launchPrompt({ ...calm, ...more })
const standing = (more: Partial<PromptFacts['status']>) => ({ ...status, ...more })
const ann = (sender = 'ann', isListed = true) => ({ authorOf: () => ({ sender, isListed }) })
const instruction = (text: string) => ({ ...mission, subject: text, body: text })
const question = (words: { subject: string; body: string }) => ({ signal: id, from: 'api', ...words })

/** Each kind of text that a prompt has from others: the prompt with it, and whose name stands before it. */
const kinds: Readonly<Record<string, readonly [author: string, prompt: Prompt]>> = {
  'subject of mail': ['api', (text) => launched({ mail: [signal({ subject: text, body: 'b' })] })],
  'body of mail': ['api', (text) => launched({ mail: [signal({ subject: 's', body: text })] })],
  'mail after other mail': [
    'api',
    (text) =>
      launched({ mail: [signal({ subject: '```', body: '<!--' }), signal({ subject: 's', body: text })] }),
  ],
  'subject of a question': [
    'api',
    (text) => launched({ status: standing({ question: question({ subject: text, body: '' }) }) }),
  ],
  'body of a question': [
    'api',
    (text) => launched({ status: standing({ question: question({ subject: 's', body: text }) }) }),
  ],
  'question from a chat': [
    'ann',
    (text) => launched({ status: standing({ question: question({ subject: 's', body: text }) }), ...ann() }),
  ],
  'mission from a chat': [
    'ann',
    (text) => launched({ status: standing({ mission: { ...mission, body: text } }), ...ann() }),
  ],
  'mission from an unknown author': [
    'ann',
    (text) => launched({ status: standing({ mission: { ...mission, body: text } }), ...ann('ann', false) }),
  ],
  'instruction from a chat': [
    'ann',
    (text) => launched({ status: standing({ instructions: [instruction(text)] }), ...ann() }),
  ],
  'plan of an earlier session': [
    'docs',
    (text) => launched({ lastSession: session, context: { ...calm.context, plan: text } as TeamContext }),
  ],
  'insights of an earlier session': [
    'docs',
    (text) => launched({ lastSession: session, context: { ...calm.context, insights: text } as TeamContext }),
  ],
  'mail in news': [
    'api',
    (text) => furtherPrompt(status, [signal({ subject: text, body: text })], calm.authorOf),
  ],
  'question in news': [
    'api',
    (text) =>
      furtherPrompt(standing({ question: question({ subject: 's', body: text }) }), [], calm.authorOf),
  ],
  'instruction from a chat in news': [
    'ann',
    (text) => furtherPrompt(standing({ instructions: [instruction(text)] }), [], ann().authorOf),
  ],
}

/** Each name from outside that stands in a sentence of fed's, and how long it may be there. */
const names: Readonly<Record<string, readonly [longest: number, prompt: Prompt]>> = {
  'who said a mission': [200, (text) => launched(ann(text))],
  'who said a question': [
    200,
    (text) =>
      furtherPrompt(standing({ question: question({ subject: 's', body: '' }) }), [], ann(text).authorOf),
  ],
  'subject of an earlier mission': [
    200,
    (text) => launched({ earlier: { ...earlier, last: { subject: text, body: '', state: 'complete' } } }),
  ],
  'state of an earlier mission': [
    200,
    (text) => launched({ earlier: { ...earlier, last: { subject: 'x', body: '', state: text } } }),
  ],
  'file of an earlier deliverable': [
    Infinity,
    (text) => launched({ earlier: { ...earlier, deliverable: text } }),
  ],
  'folder of earlier missions': [
    Infinity,
    (text) => launched({ earlier: { ...earlier, folder: `${text.replaceAll('/', ':')}/1` } }),
  ],
  'file of a log': [Infinity, (text) => launched({ lastSession: { ...session, log: text } })],
  'file of a skill': [Infinity, (text) => launched({ skills: ['domain-playbook.md', text] })],
  'file of a schema': [
    Infinity,
    (text) => launched({ archetype: builtIn.of('deliverable'), branch: undefined, schema: text }),
  ],
  'command of a check': [
    Infinity,
    (text) =>
      launched({
        status: standing({
          checks: {
            configured: [{ name: 'unit', command: text, protects: [], result: null }],
          } as unknown as NonNullable<PromptFacts['status']['checks']>,
        }),
      }),
  ],
}

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

type Prompt = (text: string) => string

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
    const prompts = [launched({ status: standing(more) }), furtherPrompt(standing(more), [], calm.authorOf)]
    const calmly = { mission, instructions: [mission] }
    expect(prompts.map(headings)).toEqual([
      headings(launched({ status: standing(calmly) })),
      headings(furtherPrompt(standing(calmly), [], calm.authorOf)),
    ])
    for (const prompt of prompts) expect(prompt).toContain(open)
  }
})
