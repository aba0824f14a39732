import { backButton } from '../../dashboard/page/back-button.ts'
import { h, type Shown } from '../../dashboard/page/dom.ts'
import { clock, counted, exact } from '../../dashboard/page/figures-in-words.ts'
import type { WireMessage } from '../../../../engine/inspection/message.ts'
import { leafOf, lookAt, type Session } from './inspected-sessions.ts'
import { moveTo, viewer } from './viewer.ts'

/** So many messages are listed: whoever wants earlier ones goes back to them. */
const mostRows = 400

/** The machine, its messages and its snapshot, as far as they are looked at. */
export function sessionPanel(session: Session): Shown {
  const { seen, here, snapshot, status } = lookAt(session, viewer.cursor)
  const chart = viewer.charts.get(session.team)
  const left = Math.max(0, seen.length - mostRows)
  return h(
    'main',
    { class: 'team', key: session.id },
    h(
      'header',
      { class: 'head' },
      backButton(() => (viewer.isListShown = true)),
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
              seen
                .slice(left)
                .flatMap((message, index) => messageRow(session, message, left + index))
                .toReversed(),
              left === 0
                ? null
                : h('li', { class: 'empty' }, `${counted(left, 'message')} before: go back to see them`),
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
