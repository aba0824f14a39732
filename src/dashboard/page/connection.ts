import type { Change, ShownFederation } from '../shown.ts'

interface Listener {
  readonly onFederation: (federation: ShownFederation) => void
  readonly onChange: (change: Change) => void
  readonly onConnected: (isConnected: boolean) => void
}

/** Longest time without a word from the server, in milliseconds; it says something every 15 seconds. */
const silenceMs = 40_000

/** Hears what changes, for as long as the page is open; a server that went away is waited for. */
export function listen({ onFederation, onChange, onConnected }: Listener): void {
  const source = new EventSource('events')
  let isOver = false
  const again = () => {
    if (isOver) return
    isOver = true
    source.close()
    setTimeout(() => listen({ onFederation, onChange, onConnected }), 300)
  }
  const data = <Content>(event: MessageEvent<string>) => JSON.parse(event.data) as Content
  source.addEventListener('federation', (event) => {
    onConnected(true)
    onFederation(data<ShownFederation>(event))
  })
  source.addEventListener('change', (event) => onChange(data<Change>(event)))
  source.addEventListener('error', () => {
    onConnected(false)
    again()
  })
  // a machine that slept has a connection that nobody ended
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && source.readyState === EventSource.CLOSED) again()
  })
  setTimeout(function look() {
    if (!isOver && source.readyState === EventSource.CLOSED) again()
    else if (!isOver) setTimeout(look, silenceMs)
  }, silenceMs)
}

/** Asks for a part of what is shown. */
export async function ask<Content>(place: string): Promise<Content> {
  return answered<Content>(await fetch(place, { cache: 'no-store' }))
}

/** Does something; rejects with the reason why it was not done. */
export async function act(address: string, name: string, content: object = {}): Promise<string> {
  const response = await fetch(`${address}/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(content),
  })
  return (await answered<{ done: string }>(response)).done
}

async function answered<Content>(response: Response): Promise<Content> {
  const content = (await response.json()) as Content & { error?: string }
  if (!response.ok) throw new Error(content.error ?? response.statusText)
  return content
}
