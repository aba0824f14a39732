// Proves in a real browser that a hostile diagram runs nothing, asks nobody, says nothing to the page but a size or a
// line, and freezes nothing; and that one which never ends is given up. Fails when a protection of the frame is missing.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasBrowser } from '../../support/browser.ts'
import { documentOnPage, drawn, fenced, figure, inside, whyNot } from '../../support/shown-document.ts'
import { until } from '../../support/until.ts'

/** Something of another site that counts who asked for it. */
let foreign: Server
let place: string
let asked: string[]
beforeEach(async () => {
  asked = []
  foreign = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => void foreign.listen(0, '127.0.0.1', resolve))
  place = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`
})
afterEach(() => {
  foreign.closeAllConnections()
  foreign.close()
})

const loosened =
  '"securityLevel":"loose","htmlLabels":true,"maxEdges":99999,"maxTextSize":99999999,"secure":[],"dompurifyConfig":{"ADD_TAGS":["script","iframe"],"ADD_ATTR":["onerror","onload","onclick"],"FORBID_TAGS":[]}'

/** Diagrams that want more than to be drawn. */
const hostile = (): Readonly<Record<string, string>> => ({
  script: `flowchart LR\n  a["<script>parent.postMessage('hacked','*')</script>"] --> b`,
  handler: `flowchart LR\n  a["<img src=x onerror=parent.postMessage('hacked','*')>"] --> b`,
  loosened: `%%{init: {${loosened}}}%%\nflowchart LR\n  a["<img src='${place}/init' onerror='parent.postMessage(1)'>"] --> b\n  click a call alert()`,
  matter: `---\nconfig: {${loosened}}\n---\nflowchart LR\n  a["<iframe src='${place}/matter'></iframe>"] --> b`,
  callback:
    'flowchart LR\n  a --> b\n  click a call parent.postMessage("hacked", "*")\n  click b parent.postMessage',
  runs: `flowchart LR\n  a --> b\n  click a href "javascript:parent.postMessage('hacked','*')"\n  click b href "data:text/html,<script>1</script>"`,
  leaves: `flowchart LR\n  a --> b\n  click a href "${place}/link" _self\n  click b href "${place}/top" _top`,
  image: `flowchart LR\n  a@{ img: "${place}/image.png", w: 60, h: 60 } --> b`,
  style: `flowchart LR\n  a --> b\n  style a fill:url(${place}/fill)\n  classDef x background:url(${place}/class),filter:url(${place}/filter#a)\n  class b x`,
  sheet: `%%{init: {"themeCSS":"@import url(${place}/import); @font-face{font-family:x;src:url(${place}/font)} *{font-family:x;background:url(${place}/ground)}"}}%%\nflowchart LR\n  a --> b`,
  actor: `sequenceDiagram\n  participant A\n  link A: Away @ ${place}/actor\n  links A: {"Run": "javascript:parent.postMessage(1)"}\n  A->>A: <img src=${place}/message>`,
  class: `classDiagram\n  class A\n  click A href "javascript:parent.postMessage(1)"\n  callback A "parent.postMessage"`,
  gantt: `gantt\n  dateFormat YYYY-MM-DD\n  a :t, 2026-01-01, 1d\n  click t href "javascript:parent.postMessage(1)"`,
  person: `C4Context\n  Person(a, "A", "B", $sprite="${place}/sprite", $link="${place}/person")`,
})

/** The document of a frame that does not what ours does, once it was told its diagram. */
const frameOf = (script: string) =>
  `<!doctype html><script>onmessage = async ({ ports: [port] }) => { ${script} }</script>`
const answering = (script: string) => (page: Page) =>
  page.route('**/diagram.html', (route) => route.fulfill({ contentType: 'text/html', body: frameOf(script) }))

describe.skipIf(!hasBrowser)('in a browser', () => {
  const { look, write, url } = documentOnPage()

  /** What a page was told by `postMessage`, from its beginning. */
  const hear = (page: Page) =>
    page.addInitScript('globalThis.heard = []; addEventListener("message", ({ data }) => heard.push(data))')
  const heard = (page: Page) => page.evaluate('heard')

  test('what wants to run, to ask or to lead away does nothing, also when it is clicked', async () => {
    const all = Object.entries(hostile())
    const { page, errors } = await look(all.map(([, source]) => fenced(source)).join(''), hear)
    let shown = 0
    for (const [nth, [name]] of all.entries()) {
      await figure(page, nth).scrollIntoViewIfNeeded()
      await figure(page, nth).and(page.locator('.failed, .drawn:has(iframe)')).waitFor()
      if ((await figure(page, nth).locator('figcaption').count()) > 0) continue
      shown++
      const found = await inside(page, nth)
        .locator('body')
        .evaluate((body) => ({
          running: body.querySelectorAll(
            'script, iframe, object, embed, link, [onerror], [onload], [onclick]',
          ).length,
          links: [...body.querySelectorAll('a')].filter((link) => /script:|data:/.test(link.outerHTML))
            .length,
        }))
      expect([name, found]).toEqual([name, { running: 0, links: 0 }])
      await inside(page, nth)
        .locator('body')
        .evaluate((body) => {
          const { MouseEvent } = body.ownerDocument.defaultView as unknown as { MouseEvent: typeof Event }
          for (const each of body.querySelectorAll('*'))
            each.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }) as never)
        })
        // one that went away is drawn anew
        .catch(() => undefined)
      await drawn(page, nth)
    }
    expect(shown).toBeGreaterThan(all.length - 3)
    expect([asked, await heard(page), page.context().pages().length]).toEqual([[], [], 1])
    expect(page.url()).toContain(url())
    expect(errors).toEqual([])
  })

  test.each([
    [
      'sizes out of all bounds',
      'port.postMessage({ width: 1e12, height: Infinity })',
      /^min\(100%, 4000px\)/,
    ],
    ['no numbers', 'port.postMessage({ width: "1px; color: red", height: {} })', /^min\(100%, 40px\)/],
    ['no object', 'port.postMessage(null)', /^min\(100%, 40px\)/],
  ])('a frame that answers with %s is given a size within bounds', async (_, script, width) => {
    const { page, errors } = await look(fenced('pie'), answering(script))
    await drawn(page)
    expect(await figure(page).evaluate((it) => it.style.width)).toMatch(width)
    expect(errors).toEqual([])
  })

  test('a frame that says why is quoted in one line, as text', async () => {
    const script = 'port.postMessage({ why: "<b>because</b> " + "long ".repeat(99999) + "\\nsecond line" })'
    const { page } = await look(fenced('pie'), answering(script))
    const text = await whyNot(page)
    expect([text.includes('<b>because</b>'), text.length < 400]).toEqual([true, true])
  })

  test('a frame reaches neither the page, nor what it shows, nor another place', async () => {
    const script = `
      const attempts = {
        page: () => parent.document.title, above: () => { top.location = '${place}/top' },
        kept: () => localStorage.length, opened: () => { if (open('${place}/open') === null) throw 0 },
      }
      const done = Object.entries(attempts).filter(([, attempt]) => { try { attempt(); return true } catch { return false } })
      const asked = await fetch('teams/docs/life').then(() => ['life'], () => [])
      port.postMessage({ why: 'reached: ' + [...done.map(([name]) => name), ...asked] })`
    const { page } = await look(fenced('pie'), answering(script))
    expect(await whyNot(page)).toMatch(/reached: $/)
    expect([asked, page.context().pages().length]).toEqual([[], 1])
    expect(page.url()).toContain(url())
  })

  /** Keeps what waits for a diagram's end, and every diagram's limit is over when it is said. */
  const holdLimits = (page: Page) =>
    page.addInitScript(`
      globalThis.limits = []
      const { setTimeout: start } = globalThis
      globalThis.setTimeout = (end, ms, ...more) => {
        if (ms === 20_000) limits.push(end)
        return start(end, ms === 20_000 ? 2 ** 30 : ms, ...more)
      }`)
  const endLimit = (page: Page) => page.evaluate('limits.at(-1)()')

  test('a frame that goes elsewhere comes nowhere, and is drawn anew', async () => {
    const { page, requests } = await look(fenced('pie\n  "a" : 1'), holdLimits)
    await drawn(page)
    const loaded = () => requests.filter((each) => each.endsWith('/diagram.html')).length
    await inside(page)
      .locator('body')
      .evaluate((body, to) => body.ownerDocument.location.assign(to), `${place}/elsewhere`)
    await until('the frame is asked for again', () => loaded() === 2)
    await drawn(page)
    await inside(page).locator('svg').waitFor()
    expect(asked).toEqual([])
  })

  /** Takes Mermaid longer than anybody waits. */
  const endless = `classDiagram\n${Array.from({ length: 2000 }, (_, index) => `A${index % 90} <|-- B${(index * 7) % 83}`).join('\n')}`

  test('one that never ends is given up, while the page goes on and the others are drawn', async () => {
    const document = ['pie\n  "before" : 1', endless, 'pie\n  "after" : 1'].map(fenced).join('')
    const { page } = await look(document, holdLimits)
    await drawn(page)
    await figure(page, 1).scrollIntoViewIfNeeded()
    await page.locator('.diagram[aria-busy=true] code', { hasText: 'A0' }).waitFor()
    await page.keyboard.press('?')
    await page.locator('dialog.help').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await endLimit(page)
    expect(await whyNot(page, 1)).toMatch(/it took more than 20 s to draw$/)
    expect(await figure(page, 1).locator('code').textContent()).toBe(`${endless}\n`)
    for (const [nth, word] of [
      [2, 'after'],
      [0, 'before'],
    ] as const) {
      await drawn(page, nth)
      expect(await inside(page, nth).locator('svg').textContent()).toContain(word)
    }
    // the document is written on, and nobody waits for that diagram again
    const limits = await page.evaluate('limits.length')
    write(`# Written on\n\n${fenced(endless)}`)
    await page.locator('.markdown h1').waitFor()
    expect(await whyNot(page)).toContain('20 s')
    expect(await page.evaluate('limits.length')).toBe(limits)
  })

  test('a frame that does not come is no fault of the diagram, and is asked for again', async () => {
    let times = 0
    const prepare = async (page: Page) => {
      await holdLimits(page)
      await page.route('**/diagram.html', (route) => (times++ === 0 ? undefined : route.continue()))
    }
    const { page } = await look(fenced('pie\n  "a" : 1'), prepare)
    await until('the frame is asked for', () => times === 1)
    await endLimit(page)
    await drawn(page)
    expect(await page.locator('figcaption').count()).toBe(0)
  })
})
