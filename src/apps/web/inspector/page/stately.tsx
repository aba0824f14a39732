// Hands the wire to Stately's inspector by its own protocol: it is opened in a window of its own, says that it is
// there, and is then posted every message. Only a window of that very origin is believed and told anything.
import { counted } from '../../../../errors/printable.ts'
import { listen } from '../../dashboard/page/shared-connection.ts'
import { render } from 'preact'
import type { WireMessage } from '../../../../engine/inspection/message.ts'

const inspector = new URL('https://stately.ai/inspect')

const messages: WireMessage[] = []
const known = new Set<string>()
let target: Window | null = null
let isBlocked = false
let isConnected = false
let isServed = true

function stateInWords(): string {
  const count = counted(messages.length, 'message')
  if (isConnected) return `connected, ${count} told${isServed ? '' : '; fed inspect was ended'}`
  if (isBlocked) return 'the browser opened no window: allow this page to open one'
  return `${target === null ? 'not connected' : 'waiting for the inspector'}, ${count} to tell`
}

function draw(): void {
  render(
    <main>
      <h1>Stately inspector</h1>
      <p>
        This opens <b>{inspector.href}</b> in a window of its own and hands it what the machines of this
        federation do: their definitions, signals and snapshots. Nothing is sent before you press the button,
        and to no other place.
      </p>
      <p>
        <button id="open" class="primary" type="button" onClick={openInspector}>
          Open the inspector
        </button>
      </p>
      <p id="state" role="status">
        {stateInWords()}
      </p>
    </main>,
    document.querySelector('#page') as HTMLElement,
  )
}

function openInspector(): void {
  isConnected = false
  target = window.open(inspector, 'xstateinspector')
  isBlocked = target === null
  draw()
}

function post(message: WireMessage): void {
  target?.postMessage(message, inspector.origin)
}

addEventListener('message', ({ origin, source, data }: MessageEvent<{ type?: unknown } | null>) => {
  if (origin !== inspector.origin || source !== target || data?.type !== '@statelyai.connected') return
  isConnected = true
  messages.forEach(post)
  draw()
})

listen(['messages'], ({ name, text }) => {
  isServed = name !== 'lost'
  for (const message of isServed ? (JSON.parse(text) as WireMessage[]) : []) {
    // after a connection that broke all of them come again
    if (known.has(message.id)) continue
    known.add(message.id)
    messages.push(message)
    if (isConnected) post(message)
  }
  draw()
})
document.title = 'fed → Stately inspector'
document.body.className = 'bridge'
draw()
