import type { VNode } from 'preact'
import { counted } from '../../dashboard/page/figures-in-words.ts'
import { leafOf, snapshotOf, toneOf, type Session } from './inspected-sessions.ts'
import { choose, viewer } from './viewer.ts'

/** Every machine in each of its missions. */
export function sessionList(): VNode {
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
