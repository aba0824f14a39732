// Proves in a real browser that a page can be left open: in more tabs than a browser opens connections, through a
// time without a server, at any address that somebody typed, and with a team of any name. Fails when a tab waits
// for another to be closed, when what is known no more is called live, or when a script stops.
import { afterEach, describe, expect, test } from 'vitest'
import { serveDashboard, type Dashboard } from '../../../src/apps/web/dashboard/dashboard-server.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { browserForAll, hasBrowser } from '../../support/browser.ts'
import { newFederation } from '../../support/fed.ts'

let dashboard: Dashboard | undefined
afterEach(async () => {
  await dashboard?.close()
  dashboard = undefined
})

async function serve(root: string): Promise<string> {
  dashboard = await serveDashboard(new Federation(root))
  return dashboard.url
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  const open = browserForAll()

  test('six tabs are told of a change, of a team of any name', async () => {
    const root = await newFederation({ constructor: 'Cover the storage', other: 'Cover the rest' })
    const url = await serve(root)
    const { page, errors } = await open(`${url}#%`)
    await page.locator('#state', { hasText: 'preparing' }).waitFor()
    // each would hold one of the six connections that a browser opens to one address
    const tabs = [page]
    for (let more = 0; more < 5; more += 1) tabs.push(await page.context().newPage())
    await Promise.all(tabs.slice(1).map((tab) => tab.goto(url)))
    for (const tab of tabs) await tab.locator('.drawing .current[data-name=preparing]').waitFor()
    const federation = new Federation(root)
    await (await federation.team('other')).pause()
    for (const tab of tabs) await tab.locator('.row[data-team=other]', { hasText: 'paused' }).waitFor()
    await (await federation.team('constructor')).pause()
    for (const tab of tabs) await tab.locator('.events .event', { hasText: 'directive.pause' }).waitFor()
    expect(errors).toEqual([])
  })

  test('what a page missed it is told with everything else', async () => {
    const root = await newFederation({ docs: 'Cover the storage' })
    const { page, errors } = await open('about:blank')
    // each page has a stream of its own then, in which something gets lost
    await page.addInitScript(`delete globalThis.SharedWorker
      const hear = EventSource.prototype.addEventListener
      EventSource.prototype.addEventListener = function (name, listener) {
        hear.call(this, name, (event) => globalThis.isDeaf || listener(event))
      }`)
    await page.goto(await serve(root))
    await page.locator('#state', { hasText: 'preparing' }).waitFor()
    const team = await new Federation(root).team('docs')
    await page.evaluate('isDeaf = true')
    await team.pause()
    // by then the server told it
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('#state', { hasText: 'paused' }).waitFor()
    await page.evaluate('isDeaf = false')
    await team.resume()
    await page.locator('.states tr', { hasText: 'paused' }).waitFor()
    expect(errors).toEqual([])
  })

  test('without a server the page says so, and nothing can be done until it is back', async () => {
    const root = await newFederation({ docs: 'Cover the storage' })
    const { page, errors } = await open(await serve(root))
    await page.locator('#live', { hasText: /^Live$/ }).waitFor()
    await page.locator('#send:enabled').waitFor()
    await dashboard?.close()
    await page.locator('#live', { hasText: 'Not live' }).waitFor()
    await page.locator('#pause:disabled').waitFor()
    const lasting = page.locator('.head .lasting')
    const stopped = await lasting.textContent()
    // an hour later, drawn anew
    await page.evaluate('hour = Date.now() + 3_600_000; Date.now = () => hour')
    await page.keyboard.press('d')
    await page.locator(':root[data-theme=dark]').waitFor()
    await page.evaluate('new Promise(requestAnimationFrame)')
    expect(await lasting.textContent()).toBe(stopped)
    await serve(root)
    await page.locator('#live', { hasText: /^Live$/ }).waitFor()
    await page.locator('#pause:enabled').waitFor()
    expect(errors).toEqual([])
  })
})
