// Proves in a real browser that the page opens on what somebody came for: a finished team's document or a coding
// team's changes, the mail that waits for an answer, two hundred teams by state, the command with which to begin. It
// fails when moves are told as questions, when a team that was never launched is called healthy, when a telephone
// shows something else first or cuts anything off.
import { afterEach, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { serveDashboard, type Dashboard } from '../../../src/apps/web/dashboard/dashboard-server.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { browserForAll, hasBrowser } from '../../support/browser.ts'
import { codingTeam, commitFile } from '../../support/coding-team.ts'
import { newFederation, workspaceOf } from '../../support/fed.ts'
import { recordUsage } from '../../support/session-record.ts'
import { workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { twoHundredTeams } from '../../support/many-teams.ts'
import { completeTeam, recordSession } from '../../support/monitored.ts'
import { until } from '../../support/until.ts'

const dashboards: Dashboard[] = []
afterEach(async () => {
  for (const each of dashboards.splice(0)) await each.close()
})

async function serve(root: string): Promise<string> {
  const dashboard = await serveDashboard(new Federation(root))
  dashboards.push(dashboard)
  return dashboard.url
}

/** What is wider than the window, or than the place in which it is shown. */
const cutOff = `[...document.querySelectorAll('#page *')].filter((each) => {
  const { width, right } = each.getBoundingClientRect()
  const { overflowX, display } = getComputedStyle(each)
  if (width === 0 || each.closest('svg') !== null) return false
  const isCut = overflowX !== 'visible' && display !== 'inline' && each.scrollWidth > each.clientWidth + 1
  return isCut || right > innerWidth + 1
}).map((each) => each.outerHTML.slice(0, 120))`

/** Waits until nothing is cut off: what is drawn follows the window when it has changed. */
const isWhole = (page: Page) =>
  until('nothing to be cut off', async () => (await page.evaluate<string[]>(cutOff)).length === 0)

const becomeTelephone = (page: Page) => page.setViewportSize({ width: 390, height: 844 })

/** How far below the window's top something begins, in pixels. */
const topOf = async (page: Page, place: string) => (await page.locator(place).boundingBox())?.y ?? NaN

/** Waits until all of these stand in the timeline. */
const isWritten = (page: Page, ...names: readonly string[]) =>
  until('they are written', () =>
    page.evaluate<boolean>(`${JSON.stringify(names)}.every((name) => written.has(name))`),
  )

describe.skipIf(!hasBrowser)('in a browser', () => {
  const open = browserForAll()

  test('what agents used up stands beside their session, and by team where meta is', async () => {
    const root = await newFederation({ docs: undefined, api: undefined })
    const now = new Date().toISOString()
    const sessionsOf = (team: string) => workspaceLayout(workspaceOf(root, team)).sessions
    recordUsage(sessionsOf('docs'), { mission: 1, number: 1 }, [[now, { tokens: 1200, cost: 0.42 }]])
    recordUsage(sessionsOf('docs'), { mission: 1, number: 2 }, [[now, { tokens: 300, cost: 0.08 }]])
    recordUsage(sessionsOf('api'), { mission: 1, number: 1 }, [])
    const { page, errors } = await open(await serve(root))
    await page.locator('.row[data-team=docs]').click()
    const used = page.locator('.log .used')
    await used.waitFor()
    expect(await used.innerText()).toBe('0.0800 US dollars, 300 tokens, 0.0 minutes')
    expect(await used.getAttribute('title')).toBe(
      'mission 1: 0.5000 US dollars, 1500 tokens, 0.0 minutes in 2 sessions',
    )
    await page.keyboard.press('m')
    const rows = page.locator('.costs tr')
    await until('the table', async () => (await rows.count()) === 4)
    const cellsOf = async (row: number) => (await rows.nth(row).innerText()).split(/\s*\t\s*/)
    expect(await cellsOf(1)).toEqual(['api', '1', '0.0 min', 'unknown', 'unknown'])
    expect(await cellsOf(2)).toEqual(['docs', '2', '0.0 min', '1500', '0.5000'])
    if (process.env.SHOT) await page.screenshot({ path: process.env.SHOT })
    await becomeTelephone(page)
    await isWhole(page)
    expect(errors).toEqual([])
  })

  test('a finished team opens on its document, large, and a working one on its history', async () => {
    const { root } = await completeTeam()
    const url = await serve(root)
    const { page, errors } = await open(url)
    await page.locator('.row[data-team=team]').click()
    await page.locator('.markdown h1').waitFor()
    expect(await page.locator('#tab-document').getAttribute('aria-selected')).toBe('true')
    expect(await page.locator('.chart').isVisible()).toBe(false)
    const document = await page.locator('.tabbed').boundingBox()
    expect(document?.width).toBeGreaterThan(1100)
    await page.locator('.row[data-team=peer]').click()
    await page.locator('#tab-history[aria-selected=true]').waitFor()
    await page.locator('.chart').waitFor()
    await page.goto('about:blank')
    await page.goto(`${url}#team`)
    await page.locator('.markdown h1').waitFor()
    // what somebody chooses stays chosen
    await page.locator('.enlarge').click()
    await page.locator('.chart').waitFor()
    expect(errors).toEqual([])
  })

  test('on a telephone the document comes first, and nothing is cut off', async () => {
    const { root } = await completeTeam()
    const team = await new Federation(root).team('peer')
    await team.tell({ type: 'report', subject: `mission-planned-${'without-a-mission-'.repeat(5)}` })
    const { page } = await open(await serve(root))
    await becomeTelephone(page)
    await page.goto(`${page.url().split('#')[0]}#team`)
    await page.locator('.markdown h1').waitFor()
    expect(await topOf(page, '.markdown h1')).toBeLessThan(844 / 2)
    for (const [key, place] of Object.entries({
      1: '.events',
      2: '.mail',
      3: '.content',
      4: '.markdown',
      e: '.chart',
      m: '.team.meta',
    })) {
      await page.keyboard.press(key)
      await page.locator(place).waitFor()
      expect(await page.evaluate(cutOff), key).toEqual([])
    }
    await page.locator('.back').click()
    await page.locator('.row[data-team=peer]').waitFor()
    await isWhole(page)
    await page.locator('.row[data-team=peer]').click()
    await page.locator('.event.refused').waitFor()
    await page.locator('.chart svg').waitFor()
    expect(await topOf(page, '.tabbed')).toBeLessThan(await topOf(page, '.chart'))
    await isWhole(page)
  })

  test('that a team moved is no question, and all that is new is acknowledged at once', async () => {
    const root = await newFederation({ docs: 'Cover the storage' })
    const federation = new Federation(root)
    const team = await federation.team('docs')
    await team.tell({ type: 'report', subject: 'mission-planned', body: 'src/app.ts' })
    await team.pause()
    const { page } = await open(await serve(root))
    await page.keyboard.press('m')
    await page.locator('.row.meta', { hasText: 'nothing waits' }).waitFor()
    await page.locator('.signal.news.move', { hasText: 'docs: preparing → scanning' }).waitFor()
    expect(await page.locator('.signal button').count()).toBe(0)
    expect(await page.title()).not.toContain('(')
    await federation.send({ from: 'docs', to: 'meta', type: 'question', subject: 'Which one' })
    await federation.send({ from: 'docs', to: 'meta', type: 'alert', subject: 'No space' })
    await federation.send({ from: 'docs', to: 'meta', type: 'report', subject: 'Half of it is read' })
    await page.locator('.row.meta', { hasText: '2 waiting' }).waitFor()
    expect(await page.title()).toContain('(2)')
    await page.locator('h3', { hasText: '3 new reports' }).getByText('Acknowledge all').click()
    await page.locator('.signal.news').first().waitFor({ state: 'detached' })
    const waiting = federation.mailbox('meta').unacknowledged()
    expect(waiting.map(({ subject }) => subject)).toEqual(['Which one', 'No space'])
    await page.locator('.signal.waiting', { hasText: 'Which one' }).waitFor()
  })

  test('two hundred teams stand by their states, counted, and each has its name in the timeline', async () => {
    const { page, errors } = await open(await serve(await twoHundredTeams()))
    const counts = { failed: 10, scanning: 50, paused: 20, 'not started': 120 }
    for (const [state, count] of Object.entries(counts))
      await page.locator('.chip', { hasText: `${count} ${state}` }).waitFor()
    expect(await page.locator('.group .name').allTextContents()).toEqual(Object.keys(counts))
    expect(await page.locator('.group .size').allTextContents()).toEqual(Object.values(counts).map(String))
    await page.locator('.figures', { hasText: '120 not started' }).waitFor()
    // what a canvas says is known only by what is written on it
    await page.evaluate(`written = new Set(), write = CanvasRenderingContext2D.prototype.fillText,
      CanvasRenderingContext2D.prototype.fillText = function (text, ...more) { written.add(text); write.call(this, text, ...more) }`)
    await isWritten(page, 'failed · 10', 'lost', 'lost-1')
    await page.locator('.chip', { hasText: 'paused' }).click()
    await isWritten(page, 'paused · 20', 'held-1')
    expect(await page.locator('.group .name').allTextContents()).toEqual(['paused'])
    await page.locator('.row[data-team=held-19]').click()
    await isWritten(page, 'held-19')
    await page.locator('#state', { hasText: 'paused' }).waitFor()
    expect(errors).toEqual([])
  })

  test('a team that was never launched is not started, until it is', async () => {
    const root = await newFederation({ docs: 'Cover the storage', idle: undefined })
    const { page } = await open(await serve(root))
    await page.locator('.figures', { hasText: '2 not started' }).waitFor()
    expect(await page.locator('.figures', { hasText: 'healthy' }).count()).toBe(0)
    await page.locator('.row[data-team=idle] .badge.idle').waitFor()
    await page.locator('.row[data-team=docs]').click()
    await page.locator('#idle', { hasText: 'not started' }).waitFor()
    await page.locator('.head', { hasText: 'fed launch --team docs' }).waitFor()
    recordSession(root, 'docs', { isRunning: true })
    await page.locator('#idle').waitFor({ state: 'detached' })
    await page.locator('.figures', { hasText: '1 not started' }).waitFor()
    await page.locator('.figures', { hasText: '1 healthy' }).waitFor()
  })

  test('a coding team shows its branch, its commits and what they change, as they come', async () => {
    const { root, workspace } = await codingTeam()
    const { page, errors } = await open(await serve(root))
    await page.locator('#tab-changes').waitFor()
    await page.keyboard.press('4')
    await page.locator('#branch', { hasText: 'fed/api' }).waitFor()
    expect(await page.locator('#tab-document').count()).toBe(0)
    await page.locator('.commits li', { hasText: 'Write src/app.ts' }).waitFor()
    await page.locator('.patch .removed', { hasText: '-export const answer = 42' }).waitFor()
    await page.locator('.patch .added', { hasText: '+export const answer = 43' }).waitFor()
    commitFile(workspace, 'page.html', '<img src=x onerror="hacked = 1"><script>hacked = 2</script>\n')
    await page.locator('.commits li', { hasText: 'Write page.html' }).waitFor()
    await page.locator('.patch .added', { hasText: '<script>' }).waitFor()
    expect(await page.locator('.changes :is(img, script)').count()).toBe(0)
    expect(await page.evaluate('typeof hacked')).toBe('undefined')
    await becomeTelephone(page)
    await isWhole(page)
    expect(errors).toEqual([])
  })

  test('an empty federation shows the one command with which to begin', async () => {
    const root = await newFederation()
    const { page } = await open(await serve(root))
    await page.locator('#begin', { hasText: /^fed run "[^"]+"$/ }).waitFor()
    expect(await page.locator('main code').count()).toBe(1)
    expect(await page.locator('.timeline').count()).toBe(0)
    await becomeTelephone(page)
    await page.locator('#begin').waitFor()
    await isWhole(page)
    await new Federation(root).onboard({ domain: 'docs', archetype: 'deliverable' })
    await page.locator('#begin').waitFor({ state: 'detached' })
    await page.locator('#state', { hasText: 'preparing' }).waitFor()
  })
})
