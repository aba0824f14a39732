import type { ShownCommit, ShownEvent } from '../shown.ts'
import { h, type Shown } from './dom.ts'
import { lastOf } from './last-of.ts'
import { model, type Detail } from './page-model.ts'
import { missionShown } from './moment.ts'
import { showMoment } from './server-events.ts'
import { clock, counted, exact } from './figures-in-words.ts'

/** So many commits are listed: whoever wants earlier ones goes back to them. */
export const mostRows = 400

/** What happened in the mission that is looked at, the newest first; what was refused says why. */
export function historyPanel(detail: Detail): Shown {
  return listed(detail.commits, missionShown(detail), model.moment)
}

const listed = lastOf((commits: Detail['commits'], mission: number | undefined, moment: number | undefined) =>
  list(commits.filter((commit) => commit.mission === mission && commit.at <= (moment ?? Infinity))),
)

function list(commits: readonly ShownCommit[]): Shown {
  const left = Math.max(0, commits.length - mostRows)
  const rows = commits
    .slice(left)
    .toReversed()
    .flatMap((commit) => commitRows(commit))
  return h(
    'ol',
    { class: 'events' },
    rows.length === 0 ? h('li', { class: 'empty' }, 'Nothing happened yet') : rows,
    left === 0
      ? null
      : h('li', { class: 'empty', key: 'left' }, `${counted(left, 'commit')} before: go back to see them`),
  )
}

/** A commit never changes; what is drawn of it says its day only from the next one on. */
const drawn = new WeakMap<ShownCommit, { readonly day: string; readonly rows: Shown[] }>()

function commitRows(commit: ShownCommit): Shown[] {
  const day = new Date().toDateString()
  const before = drawn.get(commit)
  if (before?.day === day) return before.rows
  const rows = rowsOf(commit)
  drawn.set(commit, { day, rows })
  return rows
}

function rowsOf(commit: ShownCommit): Shown[] {
  if (commit.events.length === 0)
    return [
      h(
        'li',
        { key: `${commit.version}`, class: 'event begin' },
        time(commit),
        h('span', { class: 'what' }, `mission ${commit.mission} begins`),
        h('span', { class: 'where' }, commit.state),
      ),
    ]
  return commit.events.toReversed().map((event, index) => eventRow(commit, event, index))
}

function time({ at, version }: ShownCommit): Shown {
  return h(
    'button',
    {
      class: 'time',
      type: 'button',
      title: `${exact(at)}, version ${version}: show this moment`,
      onclick: () => showMoment(at),
    },
    clock(at),
  )
}

function eventRow(commit: ShownCommit, event: ShownEvent, index: number): Shown {
  const { outcome, from, to, refusal, proof, evidence, sender, subject } = event
  const sort = event.event.split('.')[0] ?? ''
  return h(
    'li',
    { key: `${commit.version}.${index}`, class: `event ${outcome}` },
    time(commit),
    h('span', { class: `what ${sort}`, title: `${sort} from ${sender}: ${subject}` }, event.event),
    h(
      'span',
      { class: 'where' },
      from === to ? (outcome === 'accepted' ? `in ${to}` : '') : [from, h('b', {}, ' → '), to],
    ),
    outcome === 'accepted' ? null : h('span', { class: 'outcome' }, outcome),
    refusal === undefined ? null : h('p', { class: 'reason' }, refusal.message),
    proof === undefined ? null : h('p', { class: 'proof' }, proof),
    evidence === undefined
      ? null
      : h('details', { class: 'evidence' }, h('summary', {}, 'evidence'), h('pre', {}, pretty(evidence))),
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
