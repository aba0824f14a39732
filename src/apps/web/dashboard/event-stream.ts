import type { ServerResponse } from 'node:http'

/** How often something is said although nothing happened, in milliseconds: who hears nothing asks again. */
const sayMs = 15_000
/** Of a page that reads no more, so many bytes wait; then it is let go, and comes back when it can. */
const mostWaiting = 32 * 1024 * 1024

/** Server-sent events to every page that is open. */
export class EventStream {
  readonly #pages = new Set<ServerResponse>()
  readonly #timer = setInterval(() => this.#write('event: beat\ndata: {}\n\n'), sayMs)

  open(response: ServerResponse): void {
    response.setHeader('content-type', 'text/event-stream; charset=utf-8')
    this.#pages.add(response)
    response.on('close', () => this.#pages.delete(response))
    // one that was let go is told nothing more, and what was under way to it failed
    response.on('error', () => this.#pages.delete(response))
    this.#write('event: beat\ndata: {}\n\n', response)
  }

  /** Tells one page, or all of them. */
  tell(event: string, content: unknown, only?: ServerResponse): void {
    if (only === undefined && this.#pages.size === 0) return
    this.#write(`event: ${event}\ndata: ${JSON.stringify(content)}\n\n`, only)
  }

  close(): void {
    clearInterval(this.#timer)
    for (const page of this.#pages) page.end()
  }

  #write(text: string, only?: ServerResponse): void {
    for (const page of only === undefined ? this.#pages : [only]) {
      if (page.writableLength <= mostWaiting) page.write(text)
      else if (this.#pages.delete(page)) page.destroy()
    }
  }
}
