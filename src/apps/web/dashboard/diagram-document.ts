import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ServerResponse } from 'node:http'
import { packageRoot } from '../../../platform/process/package.ts'

/** Wherever its frame is as large as the diagram or smaller, all of it is seen. */
const style =
  'html,body{margin:0;height:100%;overflow:hidden;background:none}' +
  'svg{display:block;width:100%!important;height:100%!important;max-width:none!important}'

/**
 * The document in whose frame one diagram is drawn: its one script stands in it, so that it asks nobody for anything.
 * It has an origin of its own, which can read nothing of the page, also where somebody opens it by itself.
 */
export class DiagramDocument {
  readonly #html: string
  readonly #policy: string

  constructor() {
    const script = readFileSync(path.join(packageRoot, 'dist/dashboard/diagram.js'), 'utf8')
    const hash = createHash('sha256').update(script).digest('base64')
    this.#html =
      '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Diagram</title>' +
      `<style>${style}</style></head><body><script>${script}</script></body></html>`
    this.#policy = [
      "default-src 'none'",
      // no other script, no handler in an attribute, no link that runs
      `script-src 'sha256-${hash}'`,
      // Mermaid styles each diagram by a sheet and by attributes
      "style-src 'unsafe-inline'",
      // pictures that Mermaid itself brings
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-scripts',
    ].join('; ')
  }

  answer(response: ServerResponse): void {
    response.setHeader('content-security-policy', this.#policy)
    response.setHeader('x-frame-options', 'SAMEORIGIN')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(this.#html)
  }
}
