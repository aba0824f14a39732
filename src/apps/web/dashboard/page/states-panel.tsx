import { visitsOf } from '../../../../diagram/mission-path.ts'
import { timeInWords } from '../../../../diagram/time-words.ts'
import { toneOf, type Detail, type TeamRow } from './page-model.ts'
import type { VNode } from 'preact'
import { shownMoment, wayOf, type Standing } from './moment.ts'
import { lasting } from './figures-in-words.ts'

/** How long the team was in each state of this mission. */
export function statesPanel(row: TeamRow, { mission, phase }: Standing): VNode | null {
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
  return (
    <section class="panel states" key="states" aria-label="Time in each state">
      <header>
        <h2>Time in each state</h2>
        <span class="muted">{isOver ? timeInWords(total) : lasting(total)} in all</span>
      </header>
      <table>
        <tbody>
          {[...visits].map(([state, { turns, time }]) => {
            const tone = toneOf(
              row.spine,
              state,
              state === here ? phase : state === 'paused' ? 'paused' : 'working',
            )
            return (
              <tr key={state} class={state === here ? 'here' : ''}>
                <th scope="row">{state}</th>
                <td class="bar">
                  <i class={tone} style={{ '--share': String(time / total) }} />
                </td>
                <td class="time">{state !== here ? timeInWords(time) : isOver ? '' : lasting(time)}</td>
                <td class="turns">{turns.length > 1 ? `${turns.length}×` : ''}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

/** What the machine takes now. */
export function acceptsPanel({ accepts: accepted }: Detail): VNode | null {
  if (accepted.length === 0) return null
  const milestones = accepted.filter(({ event }) => !event.startsWith('alert.'))
  const alerts = accepted.filter(({ event }) => event.startsWith('alert.'))
  return (
    <section class="panel accepts" key="accepts" aria-label="Accepted now">
      <header>
        <h2>Accepted now</h2>
      </header>
      <ul>
        {milestones.map(({ event, missing }) => (
          <li key={event}>
            <code class={event.split('.')[0]}>{event}</code>
            {missing.length !== 0 && <span class="missing">needs that {missing.join(', and that ')}</span>}
          </li>
        ))}
        {alerts.length !== 0 && (
          <li key="alerts" title={alerts.map(({ event }) => event).join('\n')}>
            <code class="alert">alert.*</code>
            <span class="muted">{alerts.length} that end it</span>
          </li>
        )}
      </ul>
    </section>
  )
}
