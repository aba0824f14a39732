import { existsSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'

const places = [
  process.env.FED_TEST_CHROMIUM ?? '',
  ...['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`),
]
const executablePath = places.find((place) => place !== '' && existsSync(place))

/** Whether there is a browser here; says so in one line where there is none. */
export const hasBrowser = executablePath !== undefined
if (!hasBrowser)
  console.warn(
    'no browser here, so nothing is tried in one: apt-get install chromium, or set FED_TEST_CHROMIUM',
  )

/** A page with what went wrong in it, and where it wanted to go. */
export interface WatchedPage {
  readonly page: Page
  readonly errors: string[]
  readonly requests: string[]
}

/** Opens pages in one browser for all tests of a file. */
export function browserForAll(): (url: string) => Promise<WatchedPage> {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath })
  })
  afterAll(async () => browser?.close())
  return async (url) => {
    if (browser === undefined) throw new Error('the browser did not start')
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    page.setDefaultTimeout(120_000)
    const errors: string[] = []
    const requests: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(url)
    return { page, errors, requests }
  }
}
