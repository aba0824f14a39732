import type { VNode } from 'preact'
import type { Session } from './inspected-sessions.ts'
import { moveTo, viewer } from './viewer.ts'

/** Leads to the moment after any message. */
export function stepBar(session: Session): VNode {
  const { cursor } = viewer
  const last = session.messages.length - 1
  const here = Math.min(cursor ?? last, last)
  return (
    <footer class={`timeline${cursor === undefined ? '' : ' past'}`} key="steps">
      <div class="bar">
        <button
          type="button"
          id="live"
          class={cursor !== undefined ? '' : `live${viewer.isConnected ? '' : ' lost'}`}
          onClick={() => moveTo(session, last)}
        >
          {cursor !== undefined ? 'Back to live' : viewer.isConnected ? 'Live' : 'Not live'}
        </button>
        <button type="button" aria-label="The message before" onClick={() => moveTo(session, here - 1)}>
          ◂
        </button>
        <button type="button" aria-label="The message after" onClick={() => moveTo(session, here + 1)}>
          ▸
        </button>
        <input
          type="range"
          id="scrub"
          aria-label="Message"
          min="0"
          max={String(last)}
          value={String(here)}
          onInput={({ currentTarget }) => moveTo(session, Number(currentTarget.value))}
        />
        <span class="moment">
          {here + 1} of {last + 1}
        </span>
      </div>
    </footer>
  )
}
