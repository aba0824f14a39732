import { Stream, type Heard } from './stream.ts'
import type { Said } from './stream-worker.ts'

/**
 * Hears events of these names from the server for as long as the page is open, over one connection for all tabs.
 * @returns what has the server tell everything anew.
 */
export function listen(names: readonly string[], hear: (heard: Heard) => void): () => void {
  let again = () => say({ names })
  const alone = () => {
    const stream = new Stream(new Set(names), hear)
    again = () => stream.open()
    again()
  }
  if (typeof SharedWorker === 'undefined') {
    alone()
    return () => again()
  }
  const worker = new SharedWorker('stream.js')
  const say = (said: Said) => worker.port.postMessage(said)
  worker.port.onmessage = ({ data }: MessageEvent<Heard>) => hear(data)
  worker.addEventListener('error', alone, { once: true })
  addEventListener('pagehide', () => say({ isGone: true }))
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) say({ names })
  })
  again()
  return () => again()
}

/** Asks for a part of what is shown. */
export async function ask<Content>(place: string): Promise<Content> {
  return answered<Content>(await fetch(place, { cache: 'no-store' }))
}

/** Does something; rejects with the reason why it was not done. */
export async function act(address: string, name: string, content: object = {}): Promise<string> {
  let response: Response
  try {
    response = await fetch(`${address}/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(content),
    })
  } catch (error) {
    throw new Error('the dashboard did not answer: look whether it was done', { cause: error })
  }
  return (await answered<{ done: string }>(response)).done
}

async function answered<Content>(response: Response): Promise<Content> {
  const content = (await response.json()) as Content & { error?: string }
  if (!response.ok) throw new Error(content.error ?? response.statusText)
  return content
}
