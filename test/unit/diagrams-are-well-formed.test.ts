// Proves that drawings can be parsed whatever states and events are called. Fails when a character that
// XML or Mermaid gives a meaning of its own gets through.
import { assert, asyncProperty, constantFrom, string } from 'fast-check'
import { expect, test } from 'vitest'
import { chartOf, type Chart } from '../../src/diagram/chart.ts'
import { builtInCharts, diagramFiles } from '../../src/diagram/diagram-files.ts'
import { builtInArchetypes } from '../../src/federation/archetypes.ts'
import { deliverable } from '../../machines/deliverable.ts'
import { toMermaid } from '../../src/diagram/mermaid.ts'
import { toSvg } from '../../src/diagram/svg.ts'

/** The texts of a well-formed document; throws where it is not. Knows elements, attributes, text and entities. */
function xmlTexts(xml: string): string[] {
  const open: string[] = []
  const texts: string[] = []
  const token = /<(\/?)([A-Za-z]+)((?:\s+[A-Za-z:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/gy
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const match = token.exec(xml)
    if (match === null) throw new Error(`not well-formed at ${at}: ${xml.slice(at, at + 60)}`)
    const [, closing, name, attributes = '', empty, text] = match
    for (const part of [attributes, text ?? '']) {
      if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(part)) throw new Error(`a bare & in ${part}`)
      if (/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(part))
        throw new Error('a forbidden character')
    }
    if (name === undefined) texts.push(text ?? '')
    else if (open.length === 0 && at > 0) throw new Error(`a second root: ${name}`)
    else if (closing === '/' && open.pop() !== name) throw new Error(`${name} closes another element`)
    else if (closing !== '/' && empty !== '/') open.push(name)
    if (open.length === 0 && token.lastIndex < xml.trimEnd().length) throw new Error('text after the root')
    if (open.length === 0) return texts
  }
  throw new Error(`never closed: ${open.join(', ')}`)
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const decoded = (text: string) =>
  text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? '')

// XML has no way to write these two at all
const permitted = (text: string) => text.replaceAll('\u0000', '\uFFFD').replaceAll('\uD800', '\uFFFD')

const mermaidLine =
  /^(?:stateDiagram-v2|\s*(?:\[\*\] --> \w+|\w+ --> \[\*\]|\w+ --> \w+ : [^\n;:"{}]*(?:#\d+;[^\n;:"{}]*)*|state "[^"]*" as \w+(?: \{)?|\}|--|note left of \w+|end note))$/

/** What is wrong: lines that are no statement, braces and notes that do not close, ids that were never declared. */
function mermaidProblems(mermaid: string): string[] {
  const declared = new Set([...mermaid.matchAll(/^\s*state "[^"]*" as (\w+)/gm)].map(([, id]) => id))
  const problems: string[] = []
  let depth = 0
  let inNote = false
  for (const line of mermaid.trimEnd().split('\n')) {
    const statement = line.trim()
    if (inNote && statement !== 'end note') continue
    if (!mermaidLine.test(line)) problems.push(`no statement: ${line}`)
    inNote = statement.startsWith('note ')
    depth += statement.endsWith('{') ? 1 : statement === '}' ? -1 : 0
    if (depth < 0) problems.push('a brace too many')
    const ids = /^(\w+|\[\*\]) --> (\w+|\[\*\])/.exec(statement)?.slice(1) ?? []
    problems.push(...ids.filter((id) => id !== '[*]' && !declared.has(id)).map((id) => `undeclared: ${id}`))
  }
  if (depth !== 0 || inNote) problems.push('never closed')
  return problems
}

test('the lifecycle of every archetype that ships is drawn', () => {
  const drawn = builtInCharts().map(({ root }) => root.name)
  expect(drawn).toEqual(expect.arrayContaining(builtInArchetypes.map(({ logic }) => logic.machine.id)))
})

test('every diagram that is written is well-formed', async () => {
  const files = [...(await diagramFiles())]
  for (const [, svg] of files.filter(([name]) => name.endsWith('.svg')))
    expect(xmlTexts(svg).length).toBeGreaterThan(10)
  for (const [, mermaid] of files.filter(([name]) => name.endsWith('.mmd')))
    expect(mermaidProblems(mermaid)).toEqual([])
})

test('an SVG states its size, its title and its description', async () => {
  for (const chart of builtInCharts()) {
    const svg = await toSvg(chart)
    const [, width, height, viewBox] =
      /^<svg [^>]*width="(\d+)" height="(\d+)" viewBox="([\d ]+)"/.exec(svg) ?? []
    expect(viewBox).toBe(`0 0 ${width} ${height}`)
    expect(svg).toContain(`<title id="t">${chart.root.name}</title>`)
    expect(svg).toMatch(/<desc id="d">[^<]+<\/desc>/)
    expect(svg).toContain('@media (prefers-color-scheme:dark)')
  }
})

test('odd characters in names, descriptions, events and guards come out as they went in, and break nothing', async () => {
  const plain = chartOf(deliverable)
  const odd = string({
    unit: constantFrom(...`<>&"';:#%{}[]-*\\/\n\u0000\uD800 aé日🙂`),
    minLength: 1,
    maxLength: 12,
  })
  await assert(
    asyncProperty(odd, odd, odd, odd, async (name, description, event, guard) => {
      const root = {
        ...plain.root,
        states: plain.root.states.map((state) => ({ ...state, name, description })),
      }
      const transitions = plain.transitions.map((each) => ({ ...each, event, guards: [guard] }))
      const chart: Chart = { root, transitions }
      const texts = xmlTexts(await toSvg(chart)).map(decoded)
      expect(texts).toContain(permitted(name))
      expect(texts).toContain(permitted(event))
      expect(mermaidProblems(toMermaid(chart))).toEqual([])
    }),
    { numRuns: 12 },
  )
})
