import { spawn } from 'node:child_process'
import { existsSync, linkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startProgram, stop, tell } from '../children.mjs'
import { signalFile } from '../history-files.mjs'
import { newLargeFederation } from '../many-teams.mjs'
import { inWords, median, quantile } from '../measure.mjs'
import { fed, library, surviving } from '../places.mjs'
import { Skipped } from '../rivals.mjs'

/** All processes and the page tell the time by the clock on the wall. */
const present = () => performance.timeOrigin + performance.now()

/** In the page: when a mutation of the team's badges was painted, by what they say. */
const observe = `(selector) => {
  window.painted = new Map()
  const row = document.querySelector(selector)
  new MutationObserver(() => {
    const text = row.querySelector('.badge.mail')?.textContent
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => painted.has(text) || painted.set(text, performance.timeOrigin + performance.now())
    port2.postMessage(null)
  }).observe(row, { subtree: true, childList: true, characterData: true })
}`

/** When the page had painted a text; asked for seldom, so that asking does not slow it. */
async function paintedAt(page, shown) {
  for (;;) {
    const at = await page.evaluate(`painted.get(${JSON.stringify(shown)})`)
    if (at !== undefined) return at
    await wait(20)
  }
}

/** From the moment a signal has its name in an inbox until a browser has painted that it waits there. */
export async function measure({ count = 60, teams = 200 }) {
  const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
    .map((name) => `/usr/bin/${name}`)
    .find((file) => existsSync(file))
  if (executablePath === undefined) throw new Skipped('there is no browser: apt-get install chromium')
  const { chromium } = await import('playwright-core')
  surviving('process')
  const root = await newLargeFederation(teams)
  const { openFederation } = await library()
  const team = teams > 1 ? 'team-00000' : 'team-first'
  const { inbox, outbox } = (await openFederation(root)).mailbox(team)
  const server = spawn(process.execPath, [fed, 'dashboard', '--quiet'], { cwd: root })
  process.once('exit', () => server.kill('SIGKILL'))
  const url = await new Promise((resolve) =>
    server.stdout.once('data', (text) => resolve(String(text).trim())),
  )
  const browser = await chromium.launch({ executablePath })
  const watcher = await startProgram('fs-watch', inbox)
  const heard = new Map()
  watcher.on('message', ({ name, at }) => heard.set(name, at))
  tell(watcher)
  const ours = []
  const theirs = []
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(url)
    await page.waitForSelector(`[data-team="${team}"]`)
    await page.waitForSelector('.drawing .current')
    await wait(2000)
    await page.evaluate(`(${observe})('[data-team="${team}"]')`)
    for (let sent = 1; sent <= count; sent += 1) {
      // a report of meta is mail: it waits until an agent reads it
      const { name, id, text } = signalFile(sent)
      const temporary = path.join(outbox, `.${id}.tmp`)
      writeFileSync(temporary, text.replaceAll('"docs"', `"${team}"`), { mode: 0o444 })
      const linked = present()
      linkSync(temporary, path.join(inbox, name))
      const shown = `✉ ${sent}`
      ours.push((await paintedAt(page, shown)) - linked)
      theirs.push(heard.get(name) - linked)
      await wait(40 + (sent % 7) * 13)
    }
  } finally {
    await browser.close()
    server.kill('SIGINT')
    await stop(watcher)
  }
  const row = (name, of, floor, reach) => ({
    path: `dashboard of ${teams} teams, file to screen, ${name}`,
    ours: inWords(of(ours)),
    rival: `fs.watch alone ${inWords(of(theirs))}`,
    value: of(ours),
    unit: 'ms',
    sense: 'at most',
    floor,
    reach,
  })
  return [row('p50', median, 100, 50), row('p95', (times) => quantile(times, 0.95), 200, 100)]
}
