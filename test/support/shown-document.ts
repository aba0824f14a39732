import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import { afterEach, beforeEach } from 'vitest'
import { serveDashboard, type Dashboard } from '../../src/apps/web/dashboard/dashboard-server.ts'
import { Federation } from '../../src/federation/federation.ts'
import { browserForAll, type WatchedPage } from './browser.ts'
import { newFederation, workspaceOf } from './fed.ts'

/** What a document says to have a diagram. */
export const fenced = (source: string) => `\`\`\`mermaid\n${source}\n\`\`\`\n\n`

interface DocumentOnPage {
  /** Where the page is, with its token. */
  url(): string
  write(document: string): void
  /** Opens a document with all the room of the page; `prepare` has the page before it is loaded. */
  look(document: string, prepare?: (page: Page) => Promise<unknown>): Promise<WatchedPage>
}

/** A dashboard for each test, and the document of its one team in a browser. */
export function documentOnPage(): DocumentOnPage {
  const open = browserForAll()
  let root: string
  let dashboard: Dashboard
  beforeEach(async () => {
    root = await newFederation({ docs: 'Draw it' })
    dashboard = await serveDashboard(new Federation(root))
  })
  afterEach(() => dashboard.close())
  const write = (document: string) =>
    writeFileSync(path.join(workspaceOf(root, 'docs'), 'deliverable.md'), document)
  return {
    url: () => dashboard.url,
    write,
    async look(document, prepare) {
      write(document)
      const watched = await open('about:blank')
      const { page } = watched
      await prepare?.(page)
      await page.goto(dashboard.url)
      await page.locator('#tab-document').click()
      await page.keyboard.press('e')
      return watched
    },
  }
}

/** The place of a diagram in the document. */
export const figure = (page: Page, nth = 0): Locator => page.locator('.diagram').nth(nth)
/** The frame in which it is drawn. */
export const inside = (page: Page, nth = 0): FrameLocator =>
  figure(page, nth).locator('iframe').contentFrame()

/** Resolves when a diagram is seen. */
export async function drawn(page: Page, nth = 0): Promise<void> {
  await figure(page, nth).scrollIntoViewIfNeeded()
  await figure(page, nth).and(page.locator('.drawn:has(iframe)')).waitFor()
}

/** Why a diagram is shown as its source. */
export async function whyNot(page: Page, nth = 0): Promise<string> {
  await figure(page, nth).scrollIntoViewIfNeeded()
  return (await figure(page, nth).locator('figcaption').textContent()) ?? ''
}
