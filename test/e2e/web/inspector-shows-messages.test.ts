// Proves in a real browser that `fed inspect` shows what machines do, as it happens and from the history, and that
// the bridge hands every message to Stately's inspector and to nobody else. Fails when a message is lost, told
// twice, or posted to a window of another origin.
import { afterEach, describe, expect, test } from 'vitest'
import { Federation } from '../../../src/federation/federation.ts'
import {
  serveInspector,
  type Inspector,
  type InspectorSettings,
} from '../../../src/apps/web/inspector/inspector-server.ts'
import { browserForAll, hasBrowser } from '../../support/browser.ts'
import { fed, fedDone, newFederation } from '../../support/fed.ts'

const inspectors: Inspector[] = []
afterEach(async () => {
  for (const each of inspectors.splice(0)) await each.close()
})

async function serve(root: string, settings: InspectorSettings): Promise<Inspector> {
  const inspector = await serveInspector(new Federation(root), settings)
  inspectors.push(inspector)
  return inspector
}

const planned = ['report', 'mission-planned', '--body', 'src/app.ts', '--team', 'docs']

describe.skipIf(!hasBrowser)('in a browser', () => {
  const open = browserForAll()

  test('the wire is shown as it is told, with what was refused, and each message can be gone back to', async () => {
    const root = await newFederation({ docs: 'Cover the storage' })
    const { page, requests, errors } = await open((await serve(root, {})).url)
    await page.locator('.empty', { hasText: 'The wire is silent' }).waitFor()
    const env = { FED_INSPECT: '1' }
    await fed(root, ['report', 'files-read', '--team', 'docs'], { env })
    await page.locator('.events .event.refused .reason', { hasText: 'preparing' }).waitFor()
    await fedDone(root, planned, { env })
    await page.locator('#state', { hasText: 'scanning' }).waitFor()
    await page.locator('.drawing .current[data-name=scanning]').waitFor()
    expect(await page.locator('#snapshot').textContent()).toContain('"plan": "src/app.ts"')
    await page.keyboard.press('[')
    await page.keyboard.press('[')
    await page.locator('.drawing .current[data-name=preparing]').waitFor()
    expect(requests.filter((each) => !/^(http:\/\/127\.0\.0\.1|data:)/.test(each))).toEqual([])
    expect(errors).toEqual([])
  })

  test("the history is handed to Stately's window, whole and once, and to no window of another origin", async () => {
    const root = await newFederation({ docs: 'Cover the storage' })
    await fedDone(root, planned)
    const { page } = await open((await serve(root, { team: 'docs', replay: true })).statelyUrl)
    await page.locator('#state', { hasText: 'to tell' }).waitFor()
    // what stands at the inspector's address here; the network is not asked
    const receiver = `<script>window.heard = []; addEventListener('message', ({ data }) => heard.push(data));
      opener.postMessage({ type: '@statelyai.connected' }, '*')</script>`
    await page
      .context()
      .route('https://stately.ai/**', (route) => route.fulfill({ contentType: 'text/html', body: receiver }))
    // somebody else who says so is not believed
    await page.evaluate(`window.postMessage({ type: '@statelyai.connected' }, '*')`)
    const [stately] = await Promise.all([page.waitForEvent('popup'), page.click('#open')])
    await page.locator('#state', { hasText: 'connected,' }).waitFor()
    await stately.waitForFunction('heard.length >= 5')
    await fedDone(root, ['pause', 'docs'])
    await stately.waitForFunction('heard.length >= 7')
    const heard = (await stately.evaluate('heard')) as { type: string; event?: { type: string } }[]
    expect(heard.map(({ type, event }) => [type, event?.type])).toEqual([
      ['@xstate.actor', undefined],
      ...['directive.cover-the-storage', 'report.mission-planned', 'directive.pause'].flatMap((event) => [
        ['@xstate.event', event],
        ['@xstate.snapshot', event],
      ]),
    ])
  })
})

test('who does not know the token sees nothing, and nothing can be done here', async () => {
  const { url } = await serve(await newFederation({ docs: undefined }), { replay: true })
  expect((await fetch(new URL('/events', url))).status).toBe(403)
  const headers = { 'content-type': 'application/json', origin: new URL(url).origin }
  expect((await fetch(`${url}docs/pause`, { method: 'POST', headers, body: '{}' })).status).toBe(404)
})
