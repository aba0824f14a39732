// Proves in a real browser that a hostile diagram runs nothing, asks nobody, says nothing to the page but a size or a
// line, and freezes nothing; and that one which never ends is given up. Fails when a protection of the frame is missing.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasBrowser } from '../../support/browser.ts'
import { documentOnPage, drawn, fenced, figure, inside, whyNot } from '../../support/shown-document.ts'

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
          const click = () => new MouseEvent('click', { bubbles: true, cancelable: true })
          for (const each of body.querySelectorAll('*')) each.dispatchEvent(click())
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
})
