// Proves that a document is shown without anything in it that runs or asks another machine, and that its diagrams are
// handed to the page as text. Fails when a tag, a link or more diagrams than are watched get through.
import { expect, test } from 'vitest'
import { renderMarkdown } from '../../src/apps/web/dashboard/render-markdown.ts'

test.each([
  ['a script', '<script>alert(1)</script>', /<script/],
  ['a handler', '<img src=x onerror=alert(1)>', /<img/],
  ['a picture', '![a](https://example.org/a.png)', /<img|src=/],
  ['a link that runs', '[a](javascript:alert(1))', /href=/],
  ['a link that carries data', '[a](data:text/html,x)', /href=/],
  ['a path', '[a](src/app.ts)', /href=/],
  ['a style', '| a |\n|--:|\n| 1 |', /style=/],
])('%s does nothing', (_, markdown, harm) => {
  expect(renderMarkdown(markdown)).not.toMatch(harm)
})

test('a link to elsewhere tells nobody where it was followed', () => {
  expect(renderMarkdown('[a](https://example.org/)')).toContain('rel="noreferrer noopener"')
})

test('an anchor leads to its heading', () => {
  const html = renderMarkdown('[a](#how-it-works)\n\n## How it works\n')
  expect(html).toContain('href="#doc-how-it-works"')
  expect(html).toContain('id="doc-how-it-works"')
})

test('a diagram is handed over as its source, and as nothing else', () => {
  const source = '```mermaid\nsequenceDiagram\n  A->>B: <b></code></figure>\n```\n'
  const shown =
    '<pre data-language="mermaid"><code>sequenceDiagram\n  A-&gt;&gt;B: &lt;b&gt;&lt;/code&gt;&lt;/figure&gt;\n</code></pre>\n'
  expect(renderMarkdown(source)).toBe(`<figure class="diagram">${shown}</figure>\n`)
  expect(renderMarkdown(source.replace('mermaid', 'plantuml'))).not.toContain('figure class')
})

test('of very many diagrams the first are handed over, the others are shown as they are written', () => {
  const html = renderMarkdown('```mermaid\npie\n```\n\n'.repeat(1000))
  expect(html.match(/<figure/g)).toHaveLength(200)
  expect(html.match(/<pre/g)).toHaveLength(1000)
})
