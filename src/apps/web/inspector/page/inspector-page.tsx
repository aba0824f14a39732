// A viewer of the inspector's messages that needs no other machine: each team's machine in each mission, message
// after message, with the chart lit and the snapshot as it was after any of them.
import { onModelChange } from '../../dashboard/page/model-changes.ts'
import { listen } from '../../dashboard/page/shared-connection.ts'
import { render, type VNode } from 'preact'
import { light } from '../../dashboard/page/highlight-path.ts'
import { onceAFrame } from '../../dashboard/page/once-a-frame.ts'
import type { WireMessage } from '../../../../engine/inspection/message.ts'
import { sessionList } from './session-list.tsx'
import { sessionPanel } from './session-panel.tsx'
import { lookAt, toneOf } from './inspected-sessions.ts'
import { stepBar } from './step-bar.tsx'
import { hear, moveTo, selectedSession, viewer } from './viewer.ts'

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
