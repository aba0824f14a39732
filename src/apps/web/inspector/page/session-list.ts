import { h, type Shown } from '../../dashboard/page/dom.ts'
import { counted } from '../../dashboard/page/figures-in-words.ts'
import { leafOf, snapshotOf, toneOf, type Session } from './inspected-sessions.ts'
import { choose, viewer } from './viewer.ts'

/** Every machine in each of its missions. */
export function sessionList(): Shown {
  const sessions = viewer.sessions.all
  return h(
    'nav',
    { class: 'teams', 'aria-label': 'Machines' },
    h('ul', { class: 'rows' }, sessions.length === 0 ? nothingYet() : sessions.map(sessionRow)),
  )
}

function nothingYet(): Shown {
  if (viewer.source === 'history') return h('li', { class: 'empty' }, 'No mission yet')
  return h(
    'li',
    { class: 'empty' },
    'The wire is silent. Commands tell it with ',
    h('code', {}, 'FED_INSPECT=1'),
    '; ',
    h('code', {}, 'fed inspect --replay'),
    ' shows the past',
  )
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
        'aria-current': id === viewer.selected ? 'true' : undefined,
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
