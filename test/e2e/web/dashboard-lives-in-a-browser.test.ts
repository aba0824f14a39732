// Proves in a real browser that the dashboard shows a mission as it runs, acts under the commands' guards, shows any
// moment of the past as it was, comes back when the server does, and asks no other machine for anything. Fails
// when a change on the disk does not reach the page, or when another site's page can do what this one can.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { serveDashboard, type Dashboard } from '../../../src/apps/web/dashboard/dashboard-server.ts'
import { Federation } from '../../../src/federation/federation.ts'
import { recordSession } from '../../../src/agents/sessions/session-record.ts'
import { learn } from '../../../src/records/learnings/learning-log.ts'
import { workspaceLayout } from '../../../src/protocol/folder-layout.ts'
import { LogTimes } from '../../../src/platform/process/log-times.ts'
import type { Team } from '../../../src/federation/team.ts'
import { browserForAll, hasBrowser } from '../../support/browser.ts'
import { agent, fedDone, newFederation, startFed, workspaceOf, type Running } from '../../support/fed.ts'
import { anySession } from '../../support/session-record.ts'
import { until } from '../../support/until.ts'

const dashboards: Dashboard[] = []
const processes: Running[] = []
afterEach(async () => {
  for (const each of processes.splice(0)) each.kill('SIGKILL')
  for (const each of dashboards.splice(0)) await each.close()
})

function teamOf(root: string): Promise<Team> {
  return new Federation(root).team('docs')
}

/** A session that printed these lines at these times. */
function writeSession(team: Team, printed: readonly (readonly [number, string])[]): void {
  const { sessions } = workspaceLayout(team.actor.workspace)
  const [[first = 0] = []] = printed
  mkdirSync(sessions, { recursive: true })
  writeFileSync(path.join(sessions, '1-1.log'), printed.map(([, line]) => `${line}\n`).join(''))
  const times = new LogTimes(path.join(sessions, '1-1.times'))
  for (const [at, line] of printed) times.grew(line.length + 1, at)
  times.end()
  recordSession(sessions, { ...anySession, at: new Date(first).toISOString() })
}

async function serve(root: string): Promise<string> {
  const dashboard = await serveDashboard(new Federation(root))
  dashboards.push(dashboard)
  return dashboard.url
}

describe.skipIf(!hasBrowser)('in a browser', () => {
  const open = browserForAll()

  test('a mission is seen from its first state to its document, and nothing leaves the machine', async () => {
    const root = await newFederation({ docs: 'Say what the answer is' })
    const url = await serve(root)
    const { page, errors, requests } = await open(url)
    await page.locator('#state', { hasText: 'preparing' }).waitFor()
    await page.locator('.drawing .current[data-name=preparing]').waitFor()
    await fedDone(root, ['launch', '--team', 'docs', '--agent', agent('good')])
    await page.locator('#state', { hasText: 'complete' }).waitFor()
    await page.locator('.drawing .current[data-name=complete]').waitFor()
    const visited = page.locator('.drawing .visited')
    expect(await visited.evaluateAll((all) => all.map((each) => each.getAttribute('data-name')))).toEqual([
      'preparing',
      'scanning',
      'distilling',
      'aggregating',
      'complete',
    ])
    expect(await page.locator('.drawing .line').count()).toBeGreaterThan(4)
    await page.locator('.fate', { hasText: 'finished' }).waitFor()
    await page.locator('.states tr', { hasText: 'scanning' }).waitFor()

    expect(await page.locator('.mission summary').first().textContent()).toBe('Say what the answer is')
    await (await teamOf(root)).tell({ type: 'report', subject: 'files-read' })
    await page.locator('.event.refused .reason', { hasText: 'complete' }).waitFor()

    await page.locator('#tab-history').focus()
    await page.keyboard.press('ArrowLeft')
    await page.locator('#tab-document[aria-selected=true]:focus').waitFor()
    await page.locator('.markdown h1', { hasText: 'The answer' }).waitFor()
    await page.keyboard.press('e')
    await page.locator('#log').waitFor({ state: 'hidden' })
    const hostile =
      '# Title\n\n<script>hacked = 1</script> ![far](https://example.org/a.png) [go](javascript:hacked=2)\n'
    writeFileSync(path.join(workspaceOf(root, 'docs'), 'deliverable.md'), hostile)
    await page.locator('.markdown .image').waitFor()
    await page.locator('.markdown', { hasText: '<script>' }).waitFor()
    expect(await page.locator('.markdown a[href]').count()).toBe(0)
    expect(await page.evaluate('typeof hacked')).toBe('undefined')

    const { origin } = new URL(url)
    expect(requests.filter((each) => !each.startsWith(origin) && !each.startsWith('data:'))).toEqual([])
    expect(errors).toEqual([])
  })

  test('pause, resume, send and answer do what the commands do, and are refused like them', async () => {
    const root = await newFederation({ docs: 'Cover the storage' })
    const { page } = await open(await serve(root))
    await page.locator('#pause', { hasText: 'Pause' }).click()
    await page.locator('#pause', { hasText: 'Resume' }).waitFor()
    const status = async () => (await teamOf(root)).status().then((each) => each.status)
    expect(await status()).toBe('paused')
    await page.keyboard.press('p')
    await page.locator('#pause', { hasText: 'Pause' }).waitFor()
    expect(await status()).toBe('active')

    await page.keyboard.press('s')
    await page.locator('dialog input[name=subject]').fill('Resume')
    // what is being written stays, however the dialog is closed
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('s')
    expect(await page.locator('dialog input[name=subject]').inputValue()).toBe('Resume')
    await page.locator('dialog textarea').press('Control+Enter')
    await page.locator('.notice.bad', { hasText: 'refused' }).waitFor()
    await page.locator('.event.refused', { hasText: 'directive.resume' }).waitFor()

    const federation = new Federation(root)
    await federation.send({ from: 'docs', to: 'meta', type: 'question', subject: 'Which one' })
    await page.locator('.row.meta .badge').waitFor()
    await page.keyboard.press('m')
    await page.locator('.signal', { hasText: 'Which one' }).getByText('Answer…').click()
    await page.locator('dialog textarea').fill('Both')
    await page.locator('dialog textarea').press('Control+Enter')
    await page.locator('.signal.waiting', { hasText: 'Which one' }).waitFor({ state: 'detached' })
    const inbox = federation.mailbox('docs').unacknowledged()
    expect(inbox.map(({ subject, body }) => [subject, body])).toEqual([['Re: Which one', 'Both']])
  })

  test('an earlier moment is shown as it was, and now is one key away', async () => {
    const root = await newFederation({ docs: 'Cover the storage', other: 'Cover the rest' })
    const team = await teamOf(root)
    await team.tell({ type: 'report', subject: 'mission-planned', body: 'src/app.ts' })
    await team.pause()
    learn(team.actor.workspace, {
      ...{ domain: 'docs', category: 'pattern', content: 'It is 42', confidence: 'high' },
      tags: [],
    })
    const [, planned, paused] = team.history()
    writeSession(team, [
      [Date.parse(planned?.at ?? ''), 'planned'],
      [Date.parse(paused?.at ?? '') + 1, 'and paused'],
    ])
    const { page } = await open(await serve(root))
    const state = (name: string) => page.locator('#state', { hasText: name }).waitFor()
    await state('paused')
    await page.locator('#log', { hasText: 'and paused' }).waitFor()
    await page.locator('#tab-findings .count').waitFor()

    await page.keyboard.press('[')
    await page.keyboard.press('[')
    await state('scanning')
    await page.locator('.drawing .current[data-name=scanning]').waitFor()
    expect(await page.locator('.row[data-team=docs] .state').textContent()).toContain('scanning')
    await page.locator('#log', { hasText: /^planned\s*$/ }).waitFor()
    expect(await page.locator('#pause').count()).toBe(0)
    expect(await page.locator('#tab-findings .count').count()).toBe(0)
    expect(await page.locator('.events .event', { hasText: 'directive.pause' }).count()).toBe(0)

    await page.locator('#scrub').press('Home')
    await state('not yet there')
    await page.reload()
    await state('not yet there')
    await page.keyboard.press('l')
    await state('paused')
    await page.locator('#pause', { hasText: 'Resume' }).waitFor()
  })

  test("another site's page can neither look nor act, even if it knows the address", async () => {
    const root = await newFederation({ docs: 'Cover the storage' })
    const url = await serve(root)
    const script = `
      const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
      const plain = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}', mode: 'no-cors' }
      const ends = (promise) => promise.then(({ type, status }) => type === 'opaque' ? 'opaque' : status, () => 'failed')
      Promise.all([ends(fetch(url + 'teams/docs/life')), ends(fetch(url + 'docs/pause', json)), ends(fetch(url + 'docs/pause', plain)),
        new Promise((resolve) => { const stream = new EventSource(url + 'events'); stream.onopen = () => resolve('open'); stream.onerror = () => resolve('failed') }),
        new Promise((resolve) => { const frame = document.createElement('iframe'); frame.src = url; frame.onload = () => { try { resolve(frame.contentDocument ? 'readable' : 'closed') } catch { resolve('closed') } }; document.body.append(frame) }),
      ]).then((all) => { document.title = JSON.stringify(all) })`
    const foreign = createServer((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<!doctype html><body><script>const url = ${JSON.stringify(url)};${script}</script>`)
    })
    await new Promise<void>((resolve) => void foreign.listen(0, '127.0.0.1', resolve))
    const { page } = await open(`http://127.0.0.1:${(foreign.address() as AddressInfo).port}/`)
    await page.waitForFunction('document.title.startsWith("[")')
    foreign.closeAllConnections()
    foreign.close()
    expect(JSON.parse(await page.title())).toEqual(['failed', 'failed', 'failed', 'failed', 'closed'])
    expect((await (await new Federation(root).team('docs')).status()).state).toBe('preparing')
  })

  test('a page that is open finds the dashboard again when it is started anew', async () => {
    const root = await newFederation({ docs: 'Cover the storage' })
    const start = async () => {
      const running = startFed(root, ['dashboard'])
      processes.push(running)
      await until('the address', () => running.stdout().includes('\n'))
      return { running, url: running.stdout().trim() }
    }
    const first = await start()
    const { page } = await open(first.url)
    await page.locator('#state', { hasText: 'preparing' }).waitFor()
    first.running.kill('SIGKILL')
    await page.locator('#connection', { hasText: 'reconnecting' }).waitFor()
    await (await teamOf(root)).pause()
    const { url } = await start()
    expect(url).toBe(first.url)
    await page.locator('#state', { hasText: 'paused' }).waitFor()
    await page.locator('#connection', { hasText: 'connected' }).waitFor()
    await page.locator('.events .event:first-child', { hasText: 'directive.pause' }).waitFor()
  })
})
