import { visitsOf } from '../../../../diagram/mission-path.ts'
import { timeInWords } from '../../../../diagram/time-words.ts'
import type { TeamRow } from './past.ts'
import { h, type Shown } from './dom.ts'
import { toneOf, type Detail } from './page-model.ts'
import { shownMoment, wayOf, type Standing } from './moment.ts'
import { lasting } from './figures-in-words.ts'

/** How long the team was in each state of this mission. */
export function statesPanel(row: TeamRow, { mission, phase }: Standing): Shown | null {
  const way = wayOf(row, mission, shownMoment())
  const [first] = way
  if (first === undefined) return null
  const isOver = phase === 'finished'
  const until = isOver ? (way.at(-1)?.at ?? 0) : shownMoment()
  const visits = visitsOf(
    way.map(({ state, at }, index) => ({ state, from: at, until: way[index + 1]?.at ?? until })),
  )
  const total = Math.max(1, until - first.at)
  const here = way.at(-1)?.state
  return h(
    'section',
    { class: 'panel states', key: 'states', 'aria-label': 'Time in each state' },
    h(
      'header',
      {},
      h('h2', {}, 'Time in each state'),
      h('span', { class: 'muted' }, `${isOver ? timeInWords(total) : lasting(total)} in all`),
    ),
    h(
      'table',
      {},
      h(
        'tbody',
        {},
        [...visits].map(([state, { turns, time }]) => {
          const tone = toneOf(
            row.spine,
            state,
            state === here ? phase : state === 'paused' ? 'paused' : 'working',
          )
          return h(
            'tr',
            { key: state, class: state === here ? 'here' : '' },
            h('th', { scope: 'row' }, state),
            h('td', { class: 'bar' }, h('i', { class: tone, style: { '--share': String(time / total) } })),
            h('td', { class: 'time' }, state !== here ? timeInWords(time) : isOver ? '' : lasting(time)),
            h('td', { class: 'turns' }, turns.length > 1 ? `${turns.length}×` : ''),
          )
        }),
      ),
    ),
  )
}

/** What the machine takes now. */
export function acceptsPanel({ accepts: accepted }: Detail): Shown | null {
  if (accepted.length === 0) return null
  const milestones = accepted.filter(({ event }) => !event.startsWith('alert.'))
  const alerts = accepted.filter(({ event }) => event.startsWith('alert.'))
  return h(
    'section',
    { class: 'panel accepts', key: 'accepts', 'aria-label': 'Accepted now' },
    h('header', {}, h('h2', {}, 'Accepted now')),
    h(
      'ul',
      {},
      milestones.map(({ event, missing }) =>
        h(
          'li',
          { key: event },
          h('code', { class: event.split('.')[0] }, event),
          missing.length === 0
            ? null
            : h('span', { class: 'missing' }, `needs that ${missing.join(', and that ')}`),
        ),
      ),
      alerts.length === 0
        ? null
        : h(
            'li',
            { key: 'alerts', title: alerts.map(({ event }) => event).join('\n') },
            h('code', { class: 'alert' }, 'alert.*'),
            h('span', { class: 'muted' }, `${alerts.length} that end it`),
          ),
    ),
  )
}
