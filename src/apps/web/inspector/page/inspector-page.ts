// A viewer of the inspector's messages that needs no other machine: each team's machine in each mission, message
// after message, with the chart lit and the snapshot as it was after any of them.
import { onModelChange } from '../../dashboard/page/model-changes.ts'
import { listen } from '../../dashboard/page/shared-connection.ts'
import { h, patch, type Shown } from '../../dashboard/page/dom.ts'
import { light } from '../../dashboard/page/highlight-path.ts'
import { onceAFrame } from '../../dashboard/page/once-a-frame.ts'
import type { WireMessage } from '../../../../engine/inspection/message.ts'
import { sessionList } from './session-list.ts'
import { sessionPanel } from './session-panel.ts'
import { lookAt, toneOf } from './inspected-sessions.ts'
import { stepBar } from './step-bar.ts'
import { hear, moveTo, selectedSession, viewer } from './viewer.ts'

const root = document.querySelector('#page') as HTMLElement

function page(): Shown[] {
  const session = selectedSession()
  const { source, isConnected } = viewer
  return [
    h(
      'header',
      { class: 'top' },
      h('span', { class: 'brand' }, 'fed inspect'),
      h('span', { class: 'figures' }, source === 'history' ? 'from the history' : 'from the wire'),
      h(
        'span',
        { class: `connection ${isConnected ? 'live' : 'lost'}`, id: 'connection', role: 'status' },
        isConnected ? 'connected' : 'reconnecting…',
      ),
    ),
    sessionList(),
    session === undefined ? h('main', { class: 'team', key: 'none' }) : sessionPanel(session),
    session === undefined ? h('footer', { class: 'timeline', key: 'none' }) : stepBar(session),
  ]
}

const drawSoon = onceAFrame(() => {
  document.documentElement.classList.toggle('listed', viewer.isListShown)
  patch(root, page())
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
