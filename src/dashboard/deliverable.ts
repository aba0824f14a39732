import { statSync } from 'node:fs'
import { isJsonFile } from '../deliverable/json-file.ts'
import { readFrontMatter } from '../deliverable/front-matter.ts'
import { readOutside } from '../storage/outside-file.ts'
import { renderMarkdown, renderSource } from './markdown.ts'
import type { ShownDeliverable } from './shown.ts'

/** A larger document is not shown: a page of it would be slow, and it is there to open. */
const largestBytes = 2 * 1024 * 1024

/** A document as the page shows it; undefined where there is none. */
export async function showDeliverable(file: string): Promise<ShownDeliverable | undefined> {
  const stat = statSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return undefined
  const shown = { file, at: stat.mtimeMs, bytes: stat.size, html: '', note: '' }
  // a link may lead anywhere: the standards want the file itself
  const outside = readOutside(file, { largestBytes, followLinks: false })
  if (outside.kind === 'missing') return undefined
  if (outside.kind === 'fault') return { ...shown, note: `It cannot be shown: ${outside.fault}` }
  if (isJsonFile(file)) return { ...shown, html: renderSource(outside.text, 'json') }
  const lines = outside.text.split('\n')
  const { lines: length } = readFrontMatter(lines)
  return { ...shown, html: await renderMarkdown(lines.slice(length).join('\n')) }
}
