// Makes the README's pictures of the dashboard, by day and by night, of a federation made for it.
import { spawn } from 'node:child_process'
import { existsSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { demoFederation } from './demo-federation.mjs'

const largestBytes = 200_000
const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => `/usr/bin/${name}`)
  .find((place) => existsSync(place))
if (executablePath === undefined) {
  console.error('there is no browser here: apt-get install chromium')
  process.exit(1)
}

const out = process.argv[2] ?? 'diagrams'
const demo = await demoFederation()
const server = spawn(process.execPath, [demo.fed, 'dashboard', '--quiet'], { cwd: demo.root })
const browser = await chromium.launch({ executablePath })
try {
  const url = await new Promise((resolve) =>
    server.stdout.once('data', (text) => resolve(String(text).trim())),
  )
  for (const colorScheme of ['light', 'dark']) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 840 }, colorScheme })
    await page.goto(`${url}#recovery`)
    await page.locator('.drawing .current').waitFor()
    await page.locator('#log', { hasText: 'reading' }).waitFor()
    await page.locator('.accepts li').first().waitFor()
    const file = path.join(out, `dashboard-${colorScheme}.png`)
    await page.screenshot({ path: file })
    const { size } = statSync(file)
    if (size > largestBytes) throw new Error(`${file} has ${size} bytes, more than ${largestBytes}`)
    console.log(`${file} ${size} bytes`)
    await page.close()
  }
} finally {
  await browser.close()
  server.kill('SIGINT')
  await demo.end()
  rmSync(demo.place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
}
