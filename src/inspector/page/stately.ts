// Hands the wire to Stately's inspector by its own protocol: it is opened in a window of its own, says that it is
// there, and is then posted every message. Only a window of that very origin is believed and told anything.
import type { WireMessage } from '../../inspection/message.ts'

const inspector = new URL('https://stately.ai/inspect')

const messages: WireMessage[] = []
let target: Window | null = null
let isConnected = false

const state = document.querySelector('#state') as HTMLElement

function say(): void {
  const count = `${messages.length} message${messages.length === 1 ? '' : 's'}`
  state.textContent = isConnected ? `connected, ${count} told` : `not connected, ${count} to tell`
}

function post(message: WireMessage): void {
  target?.postMessage(message, inspector.origin)
}

document.querySelector('#open')?.addEventListener('click', () => {
  isConnected = false
  target = window.open(inspector, 'xstateinspector')
  say()
})

addEventListener('message', ({ origin, source, data }: MessageEvent<{ type?: unknown } | null>) => {
  if (origin !== inspector.origin || source !== target || data?.type !== '@statelyai.connected') return
  isConnected = true
  messages.forEach(post)
  say()
})

const known = new Set<string>()
new EventSource('events').addEventListener('messages', (event: MessageEvent<string>) => {
  for (const message of JSON.parse(event.data) as WireMessage[]) {
    // after a connection that broke all of them come again
    if (known.has(message.id)) continue
    known.add(message.id)
    messages.push(message)
    if (isConnected) post(message)
  }
  say()
})
