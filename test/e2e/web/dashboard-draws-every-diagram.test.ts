// Proves in a real browser that a document's Mermaid diagrams of every kind are drawn, in the page's colours, and that
// what cannot be drawn is shown as its source with the reason. Fails when a kind is not drawn, when a reason is
// missing, or when a document without a diagram loads what draws them.
import { describe, expect, test } from 'vitest'
import { hasBrowser } from '../../support/browser.ts'
import { documentOnPage, drawn, fenced, figure, inside, whyNot } from '../../support/shown-document.ts'

/** One of each kind, and a word that it shows. */
const kinds = [
  ['flowchart', 'The reader', 'flowchart LR\n  a["The reader"] -->|asks| b{which}'],
  ['sequence', 'The message', 'sequenceDiagram\n  Reader->>Writer: The message'],
  [
    'class',
    'Mailbox',
    'classDiagram\n  class Mailbox {\n    +deliver(signal) void\n  }\n  Mailbox <|-- Inbox',
  ],
  ['state', 'preparing', 'stateDiagram-v2\n  [*] --> preparing\n  preparing --> [*]'],
  ['entity', 'SIGNAL', 'erDiagram\n  TEAM ||--o{ SIGNAL : sends'],
  ['gantt', 'Scanning', 'gantt\n  dateFormat YYYY-MM-DD\n  section Plan\n  Scanning :a1, 2026-01-01, 9d'],
  ['pie', 'patterns', 'pie title Findings\n  "patterns" : 3\n  "gotchas" : 1'],
  ['journey', 'Reading', 'journey\n  title A day\n  section Work\n    Reading: 5: Reader'],
  ['git', 'change', 'gitGraph\n  commit id: "begin"\n  branch other\n  commit id: "change"'],
  ['mindmap', 'Signals', 'mindmap\n  root((fed))\n    Teams\n    Signals'],
  ['timeline', 'First release', 'timeline\n  title History\n  2026 : First release'],
  [
    'quadrant',
    'Storage',
    'quadrantChart\n  x-axis Low --> High\n  y-axis Slow --> Fast\n  Storage: [0.3, 0.6]',
  ],
  [
    'requirement',
    'Nothing is lost',
    'requirementDiagram\n  requirement kept {\n    id: 1\n    text: Nothing is lost\n  }',
  ],
  ['sankey', 'Refused', 'sankey-beta\nReports,Accepted,5\nReports,Refused,2'],
  ['chart', 'Latency', 'xychart-beta\n  title Latency\n  x-axis [a, b]\n  bar [3, 5]'],
  ['blocks', 'Second', 'block-beta\n  one["First"] two["Second"]'],
  ['packet', 'Source', 'packet-beta\n  0-15: "Source"\n  16-31: "Target"'],
  ['kanban', 'Write it', 'kanban\n  todo[To do]\n    one[Write it]'],
  ['architecture', 'Storage', 'architecture-beta\n  service disk(disk)[Storage]'],
  ['context', 'Operator', 'C4Context\n  Person(a, "Operator", "Looks at it")'],
] as const

describe.skipIf(!hasBrowser)('in a browser', () => {
  const { url, look, write } = documentOnPage()

  test('each kind is drawn, and nothing but the page itself is asked', async () => {
    const { page, errors, requests } = await look(kinds.map(([, , source]) => fenced(source)).join(''))
    for (const [nth, [kind, word]] of kinds.entries()) {
      await drawn(page, nth)
      const text = (await inside(page, nth).locator('svg').first().textContent()) ?? ''
      expect([kind, text.replaceAll(/\s+/g, ' ')]).toEqual([kind, expect.stringContaining(word)])
    }
    expect(await page.locator('.diagram.failed').count()).toBe(0)
    // what is out of view needs no frame, and keeps its place
    await figure(page).locator('iframe').waitFor({ state: 'detached' })
    expect((await figure(page).boundingBox())?.height).toBeGreaterThan(39)
    const { origin } = new URL(url())
    expect(requests.filter((each) => !/^(?:data:|about:)/.test(each) && !each.startsWith(origin))).toEqual([])
    expect(errors).toEqual([])
  })

  test('a document without a diagram loads nothing that draws one', async () => {
    const { page, requests } = await look('# Title\n\n```plantuml\na -> b\n```\n')
    const loaded = () => requests.filter((each) => each.endsWith('/diagram.html')).length
    await page.locator('.markdown pre').waitFor()
    expect([await page.locator('iframe').count(), loaded()]).toEqual([0, 0])
    write(fenced('pie\n  "a" : 1'))
    await drawn(page)
    expect(loaded()).toBe(1)
  })

  test('a diagram is light or dark as the page is', async () => {
    const { page } = await look(fenced('flowchart LR\n  a --> b'))
    await drawn(page)
    const box = () => inside(page).locator('rect.label-container').first()
    const scheme = () =>
      inside(page)
        .locator('html')
        .evaluate((root) => root.ownerDocument.defaultView?.getComputedStyle(root).colorScheme)
    const fill = () => box().evaluate((rect) => rect.ownerDocument.defaultView?.getComputedStyle(rect).fill)
    const [before, light] = [await scheme(), await fill()]
    await page.keyboard.press('d')
    await inside(page).locator('html[style*=dark]').waitFor()
    await box().waitFor()
    expect([before, await scheme()]).toEqual(['light', 'dark'])
    expect(await fill()).not.toBe(light)
  })

  test('what cannot be drawn is shown as it is written, with the reason in one line', async () => {
    const many = (name: string) => Array.from({ length: 100 }, (_, index) => `${name}${index}`).join(' & ')
    const { page } = await look(
      [
        'sequenceDiagram\n  A->>: no receiver',
        'no diagram\n  at all',
        `flowchart LR\n  ${many('a')} --> ${many('b')}`,
        `flowchart LR\n  a["${'long '.repeat(10_001)}"]`,
        'pie\n  "and one that can" : 1',
      ]
        .map(fenced)
        .join(''),
    )
    for (const [nth, reason] of [
      /: Parse error on line 2$/,
      /: No diagram type detected/,
      /: Edge limit exceeded/,
      /: it has more than 50000 characters$/,
    ].entries()) {
      expect(await whyNot(page, nth)).toMatch(reason)
      expect(await figure(page, nth).locator('iframe').count()).toBe(0)
    }
    expect(await figure(page).locator('code').textContent()).toContain('A->>: no receiver')
    await drawn(page, 4)
  })

  test('a diagram of megabytes is never handed to Mermaid', async () => {
    const { page } = await look(fenced(`flowchart LR\n${'  a --> b\n'.repeat(180_000)}`))
    expect(await whyNot(page)).toContain('more than 50000 characters')
    write(fenced(`flowchart LR\n${'  a --> b\n'.repeat(1_000_000)}`))
    await page.locator('.document .empty', { hasText: 'It cannot be shown' }).waitFor()
  })
})
