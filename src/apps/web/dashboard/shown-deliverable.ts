import { statSync } from 'node:fs'
import { isJsonFile } from '../../../records/deliverable/json-file.ts'
import { readFrontMatter } from '../../../records/deliverable/front-matter.ts'
import { FedError } from '../../../errors/fed-error.ts'
import { readOutside } from '../../../platform/storage/outside-file.ts'
import type { Drawings } from './drawings.ts'
import { renderSource } from './render-markdown.ts'
import type { ShownDeliverable } from './shown.ts'

/** A larger document is not shown: a page of it would be slow, and it is there to open. */
const largestBytes = 2 * 1024 * 1024
/** So many documents are remembered as they were rendered: whatever happens to a team, its page asks again. */
const mostRemembered = 32

type Rendered = Pick<ShownDeliverable, 'html' | 'note'>

/** Documents as the page shows them; the same text is rendered once. */
export class Deliverables {
  readonly #drawings: Drawings
  readonly #rendered = new Map<string, Promise<Rendered>>()

  constructor(drawings: Drawings) {
    this.#drawings = drawings
  }

  /** Undefined where there is no such file. */
  async show(file: string): Promise<ShownDeliverable | undefined> {
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
    return { ...shown, ...(await this.#render(lines.slice(length).join('\n'))) }
  }

  #render(markdown: string): Promise<Rendered> {
    const rendered = this.#rendered.get(markdown) ?? this.#renderAnew(markdown)
    // the one that was asked for last is forgotten last
    this.#rendered.delete(markdown)
    this.#rendered.set(markdown, rendered)
    for (const oldest of this.#rendered.keys()) {
      if (this.#rendered.size <= mostRemembered) break
      this.#rendered.delete(oldest)
    }
    return rendered
  }

  async #renderAnew(markdown: string): Promise<Rendered> {
    try {
      return { html: await this.#drawings.document(markdown), note: '' }
    } catch (error) {
      if (!(error instanceof FedError)) throw error
      return { html: renderSource(markdown, 'markdown'), note: `It is shown as its source: ${error.message}` }
    }
  }
}
