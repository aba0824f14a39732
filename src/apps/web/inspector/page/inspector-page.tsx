// A viewer of the inspector's messages that needs no other machine: each team's machine in each mission, message
// after message, with the chart lit and the snapshot as it was after any of them.
import { counted } from '../../../../errors/printable.ts'
import { onModelChange, onceAFrame } from '../../dashboard/page/model-changes.ts'
import { listen } from '../../dashboard/page/shared-connection.ts'
import { render, type VNode } from 'preact'
import { light } from '../../dashboard/page/highlight-path.ts'
import type { WireMessage } from '../../../../engine/inspection/message.ts'
import { sessionPanel } from './session-panel.tsx'
import { leafOf, lookAt, snapshotOf, toneOf, type Session } from './inspected-sessions.ts'
import { choose, hear, moveTo, selectedSession, viewer } from './viewer.ts'

const root = document.querySelector('#page') as HTMLElement

function page(): VNode {
  const session = selectedSession()
  const { source, isConnected } = viewer
  return (
    <>
      <header class="top">
        <span class="brand">fed inspect</span>
        <span class="figures">{source === 'history' ? 'from the history' : 'from the wire'}</span>
        <span class={`connection ${isConnected ? 'live' : 'lost'}`} id="connection" role="status">
          {isConnected ? 'connected' : 'reconnecting…'}
        </span>
      </header>
      {sessionList()}
      {session === undefined ? <main class="team" key="none" /> : sessionPanel(session)}
      {session === undefined ? <footer class="timeline" key="none" /> : stepBar(session)}
    </>
  )
}

const drawSoon = onceAFrame(() => {
  document.documentElement.classList.toggle('listed', viewer.isListShown)
  render(page(), root)
  const session = selectedSession()
  const drawing = document.querySelector<HTMLElement>('.drawing')
  const chart = session === undefined ? undefined : viewer.charts.get(session.team)?.chart
  if (session === undefined || drawing === null || chart === undefined) return
  const { moves, entered, here, status } = lookAt(session, viewer.cursor)
  const tone = toneOf(here, status)
  light(drawing, { chart, moves, entered, here, tone })
})

addEventListener('keydown', (event) => {
  const session = selectedSession()
  if (session === undefined || (event.target as Element).matches('input')) return
  const here = viewer.cursor ?? session.messages.length - 1
  if (event.key === '[' || event.key === 'ArrowLeft') moveTo(session, here - 1)
  if (event.key === ']' || event.key === 'ArrowRight') moveTo(session, here + 1)
  if (event.key === 'l') moveTo(session, session.messages.length)
})

onModelChange(drawSoon)
listen(['source', 'messages'], ({ name, text }) => {
  viewer.isConnected = name !== 'lost'
  if (name === 'source') viewer.source = (JSON.parse(text) as { source: string }).source
  if (name === 'messages') hear(JSON.parse(text) as WireMessage[])
  drawSoon()
})
document.title = 'fed inspect'
drawSoon()

/** Every machine in each of its missions. */
function sessionList(): VNode {
  const sessions = viewer.sessions.all
  return (
    <nav class="teams" aria-label="Machines">
      <ul class="rows">{sessions.length === 0 ? nothingYet() : sessions.map(sessionRow)}</ul>
    </nav>
  )
}

function nothingYet(): VNode {
  if (viewer.source === 'history') return <li class="empty">No mission yet</li>
  return (
    <li class="empty">
      The wire is silent. Commands tell it with <code>FED_INSPECT=1</code>; <code>fed inspect --replay</code>{' '}
      shows the past
    </li>
  )
}

function sessionRow({ id, team, mission, messages }: Session): VNode {
  const last = snapshotOf(messages.findLast((message) => message.type !== '@xstate.event'))
  const refused = messages.filter(
    (message) => message.type === '@xstate.event' && message.event.outcome === 'refused',
  ).length
  return (
    <li key={id}>
      <button
        class="row"
        type="button"
        data-session={id}
        aria-current={id === viewer.selected ? 'true' : undefined}
        onClick={() => choose(id)}
      >
        <span class={`dot ${toneOf(leafOf(last), last?.status) || 'third'}`} />
        <span class="line">
          <span class="name">{team}</span>
          <span class="state">{leafOf(last) ?? ''}</span>
        </span>
        <span class="subject">
          mission {mission}, {counted(messages.length, 'message')}
        </span>
        <span class="badges">{refused !== 0 && <span class="badge bad">✗ {refused}</span>}</span>
      </button>
    </li>
  )
}

/** Leads to the moment after any message. */
function stepBar(session: Session): VNode {
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
