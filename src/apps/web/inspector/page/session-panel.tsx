import { counted } from '../../../../errors/printable.ts'
import { backButton } from '../../dashboard/page/back-button.tsx'
import type { VNode } from 'preact'
import { clock, exact } from '../../dashboard/page/figures-in-words.ts'
import type { WireMessage } from '../../../../engine/inspection/message.ts'
import { leafOf, lookAt, type Session } from './inspected-sessions.ts'
import { moveTo, viewer } from './viewer.ts'

/** So many messages are listed: whoever wants earlier ones goes back to them. */
const mostRows = 400

/** The machine, its messages and its snapshot, as far as they are looked at. */
export function sessionPanel(session: Session): VNode {
  const { seen, here, snapshot, status } = lookAt(session, viewer.cursor)
  const chart = viewer.charts.get(session.team)
  const left = Math.max(0, seen.length - mostRows)
  return (
    <main class="team" key={session.id}>
      <header class="head">
        {backButton(() => (viewer.isListShown = true))}
        <h1>{session.team}</h1>
        <span class="archetype">mission {session.mission}</span>
        <span class="pill third" id="state">
          {here ?? ''}
        </span>
        {status === 'done' && <span class="archetype">final</span>}
      </header>
      <div class="columns">
        <div class="left">
          <section class="panel chart">
            {chart === undefined ? (
              <p class="empty">The chart is being drawn</p>
            ) : (
              <div class="drawing" dangerouslySetInnerHTML={{ __html: chart.compact }} />
            )}
          </section>
        </div>
        <div class="right">
          <section class="panel tabbed">
            <header>
              <h2>Messages</h2>
            </header>
            <div class="content" tabindex={0}>
              <ol class="events">
                {seen
                  .slice(left)
                  .flatMap((message, index) => messageRow(session, message, left + index))
                  .toReversed()}
                {left !== 0 && <li class="empty">{counted(left, 'message')} before: go back to see them</li>}
              </ol>
            </div>
          </section>
          <section class="panel log">
            <header>
              <h2>Snapshot</h2>
            </header>
            <pre tabindex={0} id="snapshot">
              {snapshot === undefined ? '' : JSON.stringify(snapshot, null, 2)}
            </pre>
          </section>
        </div>
      </div>
    </main>
  )
}

function messageRow(session: Session, message: WireMessage, index: number): VNode[] {
  const at = Number(message.createdAt)
  const time = (
    <button
      class="time"
      type="button"
      title={`${exact(at)} ${message.id}`}
      onClick={() => moveTo(session, index)}
    >
      {clock(at)}
    </button>
  )
  if (message.type === '@xstate.actor')
    return [
      <li class="event begin" key={message.id}>
        {time}
        <span class="what">machine</span>
        <span class="where">{leafOf(message.snapshot)}</span>
      </li>,
    ]
  // a snapshot belongs to the event before it
  if (message.type === '@xstate.snapshot') return []
  const { event } = message
  const next = session.messages[index + 1]
  const to = next?.type === '@xstate.snapshot' ? leafOf(next.snapshot) : undefined
  return [
    <li class={`event ${event.outcome}`} key={message.id}>
      {time}
      <span
        class={`what ${event.type.split('.')[0]}`}
        title={`from ${event.signal.from}: ${event.signal.subject}`}
      >
        {event.type}
      </span>
      <span class="where">{to === undefined ? '' : `→ ${to}`}</span>
      {event.outcome !== 'accepted' && <span class="outcome">{event.outcome}</span>}
      {event.refusal !== undefined && <p class="reason">{event.refusal.message}</p>}
    </li>,
  ]
}
