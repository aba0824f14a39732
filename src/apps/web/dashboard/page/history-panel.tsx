import { counted } from '../../../../errors/printable.ts'
import type { ShownCommit, ShownEvent } from '../shown.ts'
import type { VNode } from 'preact'
import { lastOf } from './last-of.ts'
import { model, type Detail } from './page-model.ts'
import { missionShown } from './moment.ts'
import { showMoment } from './server-events.ts'
import { clock, exact } from './figures-in-words.ts'

/** So many commits are listed: whoever wants earlier ones goes back to them. */
export const mostRows = 400

/** What happened in the mission that is looked at, the newest first; what was refused says why. */
export function historyPanel(detail: Detail): VNode {
  return listed(detail.commits, missionShown(detail), model.moment)
}

const listed = lastOf((commits: Detail['commits'], mission: number | undefined, moment: number | undefined) =>
  list(commits.filter((commit) => commit.mission === mission && commit.at <= (moment ?? Infinity))),
)

function list(commits: readonly ShownCommit[]): VNode {
  const left = Math.max(0, commits.length - mostRows)
  const rows = commits
    .slice(left)
    .toReversed()
    .flatMap((commit) => commitRows(commit))
  return (
    <ol class="events">
      {rows.length === 0 ? <li class="empty">Nothing happened yet</li> : rows}
      {left !== 0 && (
        <li class="empty" key="left">
          {counted(left, 'commit')} before: go back to see them
        </li>
      )}
    </ol>
  )
}

/** A commit never changes; what is drawn of it says its day only from the next one on. */
const drawn = new WeakMap<ShownCommit, { readonly day: string; readonly rows: VNode[] }>()

function commitRows(commit: ShownCommit): VNode[] {
  const day = new Date().toDateString()
  const before = drawn.get(commit)
  if (before?.day === day) return before.rows
  const rows = rowsOf(commit)
  drawn.set(commit, { day, rows })
  return rows
}

function rowsOf(commit: ShownCommit): VNode[] {
  if (commit.events.length === 0)
    return [
      <li key={`${commit.version}`} class="event begin">
        {time(commit)}
        <span class="what">mission {commit.mission} begins</span>
        <span class="where">{commit.state}</span>
      </li>,
    ]
  return commit.events.toReversed().map((event, index) => eventRow(commit, event, index))
}

function time({ at, version }: ShownCommit): VNode {
  return (
    <button
      class="time"
      type="button"
      title={`${exact(at)}, version ${version}: show this moment`}
      onClick={() => showMoment(at)}
    >
      {clock(at)}
    </button>
  )
}

function eventRow(commit: ShownCommit, event: ShownEvent, index: number): VNode {
  const { outcome, from, to, refusal, proof, evidence, sender, subject } = event
  const sort = event.event.split('.')[0] ?? ''
  return (
    <li key={`${commit.version}.${index}`} class={`event ${outcome}`}>
      {time(commit)}
      <span class={`what ${sort}`} title={`${sort} from ${sender}: ${subject}`}>
        {event.event}
      </span>
      <span class="where">
        {from === to ? (outcome === 'accepted' ? `in ${to}` : '') : [from, <b> → </b>, to]}
      </span>
      {outcome !== 'accepted' && <span class="outcome">{outcome}</span>}
      {refusal !== undefined && <p class="reason">{refusal.message}</p>}
      {proof !== undefined && <p class="proof">{proof}</p>}
      {evidence !== undefined && (
        <details class="evidence">
          <summary>evidence</summary>
          <pre>{pretty(evidence)}</pre>
        </details>
      )}
    </li>
  )
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 1)
  } catch {
    // it was too long and is cut off
    return `${json}…`
  }
}
