import { spawn } from 'node:child_process'
import { existsSync, linkSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startProgram, stop, tell } from '../children.mjs'
import { signalFile } from '../history-files.mjs'
import { liveLong, moveOn } from '../long-life.mjs'
import { newLargeFederation } from '../many-teams.mjs'
import { inWords, median, quantile } from '../measure.mjs'
import { fed, library, surviving } from '../places.mjs'
import { Skipped } from '../rivals.mjs'

/** All processes and the page tell the time by the clock on the wall. */
const present = () => performance.timeOrigin + performance.now()

/** In the page: when a text of the team's row was painted, by what it says. */
const observe = `([row, part]) => {
  window.painted = new Map()
  const team = document.querySelector(row)
  new MutationObserver(() => {
    const shown = [...(team.querySelector(part)?.childNodes ?? [])]
    const text = shown.filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data).join('')
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => painted.has(text) || painted.set(text, performance.timeOrigin + performance.now())
    port2.postMessage(null)
  }).observe(team, { subtree: true, childList: true, characterData: true })
}`

/** When the page had painted a text, once; asked for seldom, so that asking does not slow it. */
async function paintedAt(page, shown) {
  for (;;) {
    const at = await page.evaluate(`painted.get(${JSON.stringify(shown)})`)
    if (at !== undefined) return at
    await wait(20)
  }
}

function chromiumFile() {
  const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
    .map((name) => `/usr/bin/${name}`)
    .find((file) => existsSync(file))
  if (executablePath === undefined) throw new Skipped('there is no browser: apt-get install chromium')
  return executablePath
}

/** Does something with a page of the federation that shows one of its teams. */
async function withPage(root, team, part, act) {
  const { chromium } = await import('playwright-core')
  const server = spawn(process.execPath, [fed, 'dashboard', '--quiet'], { cwd: root })
  process.once('exit', () => server.kill('SIGKILL'))
  const url = await new Promise((resolve) =>
    server.stdout.once('data', (text) => resolve(String(text).trim())),
  )
  const browser = await chromium.launch({ executablePath: chromiumFile() })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(`${url}#${team}`)
    await page.waitForSelector(`[data-team="${team}"]`)
    await page.waitForSelector('.drawing .current')
    await wait(2000)
    await page.evaluate(`(${observe})(${JSON.stringify([`[data-team="${team}"]`, part])})`)
    await act(page)
  } finally {
    await browser.close()
    server.kill('SIGINT')
  }
}

/** Times from the moment a signal has its name in an inbox until it is painted that it waits there, and is heard of. */
async function mailTimes(root, team, count) {
  const { openFederation } = await library()
  const { inbox, outbox } = (await openFederation(root)).mailbox(team)
  const watcher = await startProgram('fs-watch', inbox)
  const heard = new Map()
  watcher.on('message', ({ name, at }) => heard.set(name, at))
  tell(watcher)
  const ours = []
  const theirs = []
  try {
    await withPage(root, team, '.badge.mail', async (page) => {
      for (let sent = 1; sent <= count; sent += 1) {
        // a report of meta is mail: it waits until an agent reads it
        const { name, id, text } = signalFile(sent)
        const temporary = path.join(outbox, `.${id}.tmp`)
        writeFileSync(temporary, text.replaceAll('"docs"', `"${team}"`), { mode: 0o444 })
        const linked = present()
        linkSync(temporary, path.join(inbox, name))
        ours.push((await paintedAt(page, `✉ ${sent}`)) - linked)
        theirs.push(heard.get(name) - linked)
        await wait(40 + (sent % 7) * 13)
      }
    })
  } finally {
    await stop(watcher)
  }
  return { ours, theirs }
}

/** Times from the moment a commit was written until the state to which it leads is painted. */
async function moveTimes(root, name, count) {
  const federation = await (await library()).openFederation(root)
  const times = []
  await withPage(root, name, '.state', async (page) => {
    for (let move = 0; move < count; move += 1) {
      await page.evaluate('painted.clear()')
      const { state, file } = await moveOn(federation, name)
      times.push((await paintedAt(page, state)) - statSync(file).mtimeMs)
      await wait(100 + (move % 7) * 13)
    }
  })
  return times
}

/** From the moment something has its name on the disk until a browser has painted it. */
export async function measure({ count = 60, teams = 200, versions = 2500 }) {
  chromiumFile()
  surviving('process')
  const root = await newLargeFederation(teams)
  const { ours, theirs } = await mailTimes(root, 'team-first', count)
  const p95 = (times) => quantile(times, 0.95)
  const rows = (what, times, rival, others) =>
    [
      { name: 'p50', of: median, floor: 100, reach: 50 },
      { name: 'p95', of: p95, floor: 200, reach: 100 },
    ].map(({ name, of, floor, reach }) => ({
      path: `dashboard of ${teams} teams, ${what} to screen, ${name}`,
      ours: inWords(of(times)),
      rival: `${rival} ${inWords(of(others))}`,
      ...{ value: of(times), unit: 'ms', sense: 'at most', floor, reach },
    }))
  const early = await moveTimes(root, 'team-first', count)
  await liveLong(root, 'team-first', versions)
  const late = await moveTimes(root, 'team-first', count)
  return [
    ...rows('file', ours, 'fs.watch alone', theirs),
    ...rows(`move of a team of ${versions} versions`, late, `its first ${count} moves`, early),
  ]
}
