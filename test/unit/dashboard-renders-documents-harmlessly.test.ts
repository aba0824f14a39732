// Proves that a document is shown without anything in it that runs or asks another machine, and that Mermaid's
// flowcharts are drawn whole or shown as their source. Fails when a tag, a link or a box gets through or lost.
import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { drawFlowchart } from '../../src/apps/web/dashboard/flowchart.ts'
import { readFlowchart } from '../../src/apps/web/dashboard/flowchart-text.ts'
import { renderMarkdown } from '../../src/apps/web/dashboard/render-markdown.ts'

test.each([
  ['a script', '<script>alert(1)</script>', /<script/],
  ['a handler', '<img src=x onerror=alert(1)>', /<img/],
  ['a picture', '![a](https://example.org/a.png)', /<img|src=/],
  ['a link that runs', '[a](javascript:alert(1))', /href=/],
  ['a link that carries data', '[a](data:text/html,x)', /href=/],
  ['a path', '[a](src/app.ts)', /href=/],
  ['a style', '| a |\n|--:|\n| 1 |', /style=/],
])('%s does nothing', async (_, markdown, harm) => {
  expect(await renderMarkdown(markdown)).not.toMatch(harm)
})

test('a link to elsewhere tells nobody where it was followed', async () => {
  expect(await renderMarkdown('[a](https://example.org/)')).toContain('rel="noreferrer noopener"')
})

test('an anchor leads to its heading', async () => {
  const html = await renderMarkdown('[a](#how-it-works)\n\n## How it works\n')
  expect(html).toContain('href="#doc-how-it-works"')
  expect(html).toContain('id="doc-how-it-works"')
})

const flowchart = `flowchart LR
  subgraph g0["src/storage"]
    n0["disk.ts"]:::marked
    n1["log #quot;1#quot;.ts"]
  end
  n2(start) -->|3| n0 & n1
  n0 -. maybe .-> n3{which}
  n3 ==> n1
  classDef marked stroke-width:3px`

test('boxes, groups, arrows and their labels are read', () => {
  expect(readFlowchart(flowchart)).toEqual({
    direction: 'RIGHT',
    groups: [{ id: 'group g0', label: 'src/storage', group: undefined }],
    nodes: [
      { id: 'n0', label: 'disk.ts', shape: 'box', group: 'group g0', isLabelled: true },
      { id: 'n1', label: 'log "1".ts', shape: 'box', group: 'group g0', isLabelled: true },
      { id: 'n2', label: 'start', shape: 'round', group: undefined, isLabelled: true },
      { id: 'n3', label: 'which', shape: 'choice', group: undefined, isLabelled: true },
    ],
    edges: [
      { from: 'n2', to: 'n0', label: '3', isThick: false },
      { from: 'n2', to: 'n1', label: '3', isThick: false },
      { from: 'n0', to: 'n3', label: 'maybe', isThick: false },
      { from: 'n3', to: 'n1', label: '', isThick: true },
    ],
  })
})

test('groups hold groups, and an arrow may lead to one of them, also before it is declared', async () => {
  const nested = `graph TB
  client --> store
  subgraph "Back end"
    subgraph inner [Inner group]
      a --> b
    end
    c --> inner
  end
  subgraph store
  end
  inner --> store`
  const read = readFlowchart(nested)
  expect(read?.groups).toEqual([
    { id: 'group 1', label: 'Back end', group: undefined },
    { id: 'group inner', label: 'Inner group', group: 'group 1' },
    { id: 'group store', label: 'store', group: undefined },
  ])
  expect(read?.nodes.map(({ id, group }) => [id, group])).toEqual([
    ['client', undefined],
    ['a', 'group inner'],
    ['b', 'group inner'],
    ['c', 'group 1'],
  ])
  expect(read?.edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
    'client group store',
    'a b',
    'c group inner',
    'group inner group store',
  ])
  const svg = await drawFlowchart(nested)
  for (const words of ['Back end', 'Inner group', 'store', 'client'])
    expect(svg).toContain(`>${words}</text>`)
  expect(svg?.match(/class="line/g)).toHaveLength(4)
  for (const unclear of [
    'subgraph a\n b --> a\n end',
    'subgraph a\n end\n subgraph a\n end',
    'subgraph a',
    'end',
  ])
    expect(readFlowchart(`graph TB\n ${unclear}`)).toBeUndefined()
})

test('what would take minutes to lay out is not drawn', async () => {
  const many = Array.from({ length: 16 }, (_, index) => `n${index}`).join(' & ')
  expect(await drawFlowchart(`flowchart TD\n ${many} --> ${many}`)).toBeUndefined()
})

test('a flowchart is drawn with all its words, and another diagram is shown as it is written', async () => {
  const svg = await drawFlowchart(flowchart)
  for (const words of ['src/storage', 'disk.ts', 'log &quot;1&quot;.ts', 'start', 'which', 'maybe'])
    expect(svg).toContain(`>${words}</text>`)
  expect(svg?.match(/class="line/g)).toHaveLength(4)
  const html = await renderMarkdown('```mermaid\nsequenceDiagram\n  A->>B: <b>\n```\n')
  expect(html).toBe(
    '<pre data-language="mermaid"><code>sequenceDiagram\n  A-&gt;&gt;B: &lt;b&gt;\n</code></pre>\n',
  )
})

test('whatever a document calls a flowchart, reading it ends', () => {
  assert(
    property(string({ maxLength: 200, unit: 'grapheme' }), (text) => {
      readFlowchart(`flowchart TD\n  ${text}\n  a["${text}"] --> b`)
    }),
    { numRuns: 300 },
  )
})
