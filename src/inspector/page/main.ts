// A viewer of the inspector's messages that needs no other machine: each team's machine in each mission, message
// after message, with the chart lit and the snapshot as it was after any of them.
import type { Move } from '../../diagram/path.ts'
import type { ShownChart } from '../../dashboard/shown.ts'
import { listen } from '../../dashboard/page/connection.ts'
import { h, patch, type Shown } from '../../dashboard/page/dom.ts'
import { light } from '../../dashboard/page/light.ts'
import { clock, counted, exact } from '../../dashboard/page/words.ts'
import type { WireMessage, WireSnapshot } from '../../inspection/message.ts'

/** A machine in one mission. */
interface Session {
  readonly id: string
  readonly team: string
  readonly mission: number
  /** In the order of the team's life. */
  messages: WireMessage[]
}

const sessions = new Map<string, Session>()
const known = new Set<string>()
const charts = new Map<string, ShownChart>()
let source = ''
let isConnected = false
let selected: string | undefined
/** How many messages of the session are looked at; undefined follows what comes. */
let cursor: number | undefined

const root = document.querySelector('#page') as HTMLElement

function hear(messages: readonly WireMessage[]): void {
  for (const message of messages) {
    if (known.has(message.id)) continue
    known.add(message.id)
    const { sessionId, fed } = message
    const session = sessions.get(sessionId) ?? {
      id: sessionId,
      team: fed.team,
      mission: fed.mission,
      messages: [],
    }
    sessions.set(sessionId, session)
    // two processes may tell in another order than they committed
    const place = session.messages.findLastIndex((other) => order(other) <= order(message)) + 1
    session.messages.splice(place, 0, message)
  }
  selected ??= [...sessions.keys()].at(-1)
  if (selected !== undefined) void loadChart(sessions.get(selected)?.team ?? '')
  drawSoon()
}

/** Of a team's messages by version, then by their place in it; a machine's first comes before all. */
function order({ type, fed }: WireMessage): number {
  return type === '@xstate.actor' ? -1 : fed.version * 10_000 + fed.index
}

async function loadChart(team: string): Promise<void> {
  if (charts.has(team)) return
  const answer = await fetch(`charts/${team}`)
  if (!answer.ok) return
  charts.set(team, (await answer.json()) as ShownChart)
  drawSoon()
}

/** Names of the active leaves. */
function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const leaves = leavesOf(inner)
    return leaves.length === 0 ? [key] : leaves
  })
}

const leafOf = (snapshot: WireSnapshot | undefined) => leavesOf(snapshot?.value).at(-1)

/** By what a state is coloured; by nothing special while the machine works. */
function toneOf(state: string | undefined, status: WireSnapshot['status'] | undefined): string {
  if (state === 'paused') return 'paused'
  return status !== 'done' ? '' : state === 'failed' ? 'failed' : 'done'
}

function snapshotOf(message: WireMessage | undefined): WireSnapshot | undefined {
  return message === undefined || message.type === '@xstate.event' ? undefined : message.snapshot
}

/** The messages up to the cursor, and what they come to. */
function lookAt({ messages }: Session) {
  const seen = messages.slice(0, (cursor ?? messages.length - 1) + 1)
  const moves: Move[] = []
  const entered = new Set<string>()
  let here: string | undefined
  for (const message of seen) {
    const next = leafOf(snapshotOf(message))
    if (next === undefined) continue
    if (here !== undefined && here !== next && message.type === '@xstate.snapshot')
      moves.push({ at: exact(Number(message.createdAt)), event: message.event.type, from: here, to: next })
    entered.add(next)
    here = next
  }
  const snapshot = snapshotOf(seen.findLast((message) => snapshotOf(message)?.context !== undefined))
  return {
    seen,
    moves,
    entered,
    here,
    snapshot,
    status: snapshotOf(seen.findLast((one) => one.type !== '@xstate.event'))?.status,
  }
}

function page(): Shown[] {
  const session = sessions.get(selected ?? '')
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
    h(
      'nav',
      { class: 'teams', 'aria-label': 'Machines' },
      h(
        'ul',
        { class: 'rows' },
        sessions.size === 0
          ? h(
              'li',
              { class: 'empty' },
              source === 'history'
                ? 'No mission yet'
                : [
                    'The wire is silent. Commands tell it with ',
                    h('code', {}, 'FED_INSPECT=1'),
                    '; ',
                    h('code', {}, 'fed inspect --replay'),
                    ' shows the past',
                  ],
            )
          : [...sessions.values()].map(sessionRow),
      ),
    ),
    session === undefined ? h('main', { class: 'team', key: 'none' }) : sessionPanel(session),
    session === undefined ? h('footer', { class: 'timeline', key: 'none' }) : stepBar(session),
  ]
}

function sessionRow({ id, team, mission, messages }: Session): Shown {
  const last = snapshotOf(messages.findLast((message) => message.type !== '@xstate.event'))
  const refused = messages.filter(
    (message) => message.type === '@xstate.event' && message.event.outcome === 'refused',
  ).length
  return h(
    'li',
    { key: id },
    h(
      'button',
      {
        class: 'row',
        type: 'button',
        'data-session': id,
        'aria-current': id === selected ? 'true' : undefined,
        onclick: () => choose(id),
      },
      h('span', { class: `dot ${toneOf(leafOf(last), last?.status) || 'third'}` }),
      h(
        'span',
        { class: 'line' },
        h('span', { class: 'name' }, team),
        h('span', { class: 'state' }, leafOf(last) ?? ''),
      ),
      h('span', { class: 'subject' }, `mission ${mission}, ${counted(messages.length, 'message')}`),
      h(
        'span',
        { class: 'badges' },
        refused === 0 ? null : h('span', { class: 'badge bad' }, `✗ ${refused}`),
      ),
    ),
  )
}

function sessionPanel(session: Session): Shown {
  const { seen, here, snapshot, status } = lookAt(session)
  const chart = charts.get(session.team)
  return h(
    'main',
    { class: 'team', key: session.id },
    h(
      'header',
      { class: 'head' },
      h('h1', {}, session.team),
      h('span', { class: 'archetype' }, `mission ${session.mission}`),
      h('span', { class: 'pill third', id: 'state' }, here ?? ''),
      status === 'done' ? h('span', { class: 'archetype' }, 'final') : null,
    ),
    h(
      'div',
      { class: 'columns' },
      h(
        'div',
        { class: 'left' },
        h(
          'section',
          { class: 'panel chart' },
          chart === undefined
            ? h('p', { class: 'empty' }, 'The chart is being drawn')
            : h('div', { class: 'drawing', html: chart.compact }),
        ),
      ),
      h(
        'div',
        { class: 'right' },
        h(
          'section',
          { class: 'panel tabbed' },
          h('header', {}, h('h2', {}, 'Messages')),
          h(
            'div',
            { class: 'content', tabindex: '0' },
            h(
              'ol',
              { class: 'events' },
              seen.flatMap((message, index) => messageRow(session, message, index)).toReversed(),
            ),
          ),
        ),
        h(
          'section',
          { class: 'panel log' },
          h('header', {}, h('h2', {}, 'Snapshot')),
          h(
            'pre',
            { tabindex: '0', id: 'snapshot' },
            snapshot === undefined ? '' : JSON.stringify(snapshot, null, 2),
          ),
        ),
      ),
    ),
  )
}

function messageRow(session: Session, message: WireMessage, index: number): Shown[] {
  const at = Number(message.createdAt)
  const time = h(
    'button',
    {
      class: 'time',
      type: 'button',
      title: `${exact(at)} ${message.id}`,
      onclick: () => moveTo(session, index),
    },
    clock(at),
  )
  if (message.type === '@xstate.actor')
    return [
      h(
        'li',
        { class: 'event begin', key: message.id },
        time,
        h('span', { class: 'what' }, 'machine'),
        h('span', { class: 'where' }, leafOf(message.snapshot)),
      ),
    ]
  // a snapshot belongs to the event before it
  if (message.type === '@xstate.snapshot') return []
  const { event } = message
  const next = session.messages[index + 1]
  const to = next?.type === '@xstate.snapshot' ? leafOf(next.snapshot) : undefined
  return [
    h(
      'li',
      { class: `event ${event.outcome}`, key: message.id },
      time,
      h(
        'span',
        {
          class: `what ${event.type.split('.')[0]}`,
          title: `from ${event.signal.from}: ${event.signal.subject}`,
        },
        event.type,
      ),
      h('span', { class: 'where' }, to === undefined ? '' : `→ ${to}`),
      event.outcome === 'accepted' ? null : h('span', { class: 'outcome' }, event.outcome),
      event.refusal === undefined ? null : h('p', { class: 'reason' }, event.refusal.message),
    ),
  ]
}

function stepBar(session: Session): Shown {
  const last = session.messages.length - 1
  const here = Math.min(cursor ?? last, last)
  return h(
    'footer',
    { class: `timeline${cursor === undefined ? '' : ' past'}`, key: 'steps' },
    h(
      'div',
      { class: 'bar' },
      h(
        'button',
        {
          type: 'button',
          id: 'live',
          class: cursor === undefined ? 'live' : '',
          onclick: () => moveTo(session, last),
        },
        cursor === undefined ? 'Live' : 'Back to live',
      ),
      h(
        'button',
        { type: 'button', 'aria-label': 'The message before', onclick: () => moveTo(session, here - 1) },
        '◂',
      ),
      h(
        'button',
        { type: 'button', 'aria-label': 'The message after', onclick: () => moveTo(session, here + 1) },
        '▸',
      ),
      h('input', {
        type: 'range',
        id: 'scrub',
        'aria-label': 'Message',
        min: '0',
        max: String(last),
        value: String(here),
        oninput: (event: { target: HTMLInputElement }) => moveTo(session, Number(event.target.value)),
      }),
      h('span', { class: 'moment' }, `${here + 1} of ${last + 1}`),
    ),
  )
}

function choose(id: string): void {
  selected = id
  cursor = undefined
  void loadChart(sessions.get(id)?.team ?? '')
  drawSoon()
}

function moveTo({ messages }: Session, index: number): void {
  cursor = index >= messages.length - 1 ? undefined : Math.max(0, index)
  drawSoon()
}

let isDue = false

function drawSoon(): void {
  if (isDue) return
  isDue = true
  requestAnimationFrame(() => {
    isDue = false
    patch(root, page())
    const session = sessions.get(selected ?? '')
    const drawing = document.querySelector<HTMLElement>('.drawing')
    const chart = session === undefined ? undefined : charts.get(session.team)?.chart
    if (session === undefined || drawing === null || chart === undefined) return
    const { moves, entered, here, status } = lookAt(session)
    const tone = toneOf(here, status)
    light(drawing, { chart, moves, entered, here, tone })
  })
}

addEventListener('keydown', (event) => {
  const session = sessions.get(selected ?? '')
  if (session === undefined || (event.target as Element).matches('input')) return
  const here = cursor ?? session.messages.length - 1
  if (event.key === '[' || event.key === 'ArrowLeft') moveTo(session, here - 1)
  if (event.key === ']' || event.key === 'ArrowRight') moveTo(session, here + 1)
  if (event.key === 'l') moveTo(session, session.messages.length)
})

listen(['source', 'messages'], ({ name, text }) => {
  isConnected = name !== 'lost'
  if (name === 'source') source = (JSON.parse(text) as { source: string }).source
  if (name === 'messages') hear(JSON.parse(text) as WireMessage[])
  drawSoon()
})
document.title = 'fed inspect'
drawSoon()
