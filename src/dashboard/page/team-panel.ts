import { staysOf, visitsOf } from '../../diagram/path.ts'
import { timeInWords } from '../../diagram/time-words.ts'
import type { MissionWords, TeamRow } from '../shown.ts'
import { chartPanel } from './chart-panel.ts'
import { h, type Shown } from './dom.ts'
import { commitsShown, historyPanel } from './history-panel.ts'
import { mailPanel, waits } from './mail-panel.ts'
import {
  model,
  shownMoment,
  standingAt,
  tabs,
  toneOf,
  wayOf,
  type Detail,
  type Standing,
  type Tab,
} from './model.ts'
import { documentPanel, findingsPanel, logPanel } from './side-panels.ts'
import { carryOut, openDialog, showMoment, update } from './store.ts'
import { clock, exact, lasting } from './words.ts'

/** Everything about one team at the moment that is shown. */
export function teamPanel(row: TeamRow, detail: Detail): Shown {
  const standing = standingAt(row, shownMoment())
  return h(
    'main',
    { class: 'team', key: row.team, 'aria-label': `Team ${row.team}` },
    head(row, standing, wordsAt(detail, standing)),
    model.moment === undefined ? health(row) : null,
    h(
      'div',
      { class: 'columns', key: 'columns' },
      h(
        'div',
        { class: 'left' },
        chartPanel(row, standing),
        standing === undefined ? null : states(row, standing),
        model.moment === undefined ? accepts(detail) : null,
      ),
      h('div', { class: 'right' }, tabbed(row, detail), logPanel(detail)),
    ),
  )
}

/** What a team was told to do, as it was known at the moment that is shown. */
function wordsAt(detail: Detail, standing: Standing | undefined): MissionWords | undefined {
  return commitsShown(detail).findLast(
    ({ mission, words }) => words !== undefined && mission === standing?.mission,
  )?.words
}

function head(row: TeamRow, standing: Standing | undefined, words: MissionWords | undefined): Shown {
  const isLive = model.moment === undefined
  const state = isLive ? row.state : (standing?.state ?? null)
  const stance = isLive ? row.stance : (standing?.stance ?? null)
  const isOver = stance === 'finished'
  return h(
    'header',
    { class: 'head', key: 'head' },
    h(
      'button',
      {
        class: 'back',
        type: 'button',
        'aria-label': 'All teams',
        onclick: () => update(() => (model.isListShown = true)),
      },
      '‹',
    ),
    h('h1', {}, row.team),
    h('span', { class: 'archetype' }, row.archetype),
    h(
      'span',
      { class: `pill ${toneOf(row.spine, state, stance)}`, id: 'state' },
      state ?? (isLive ? 'unreadable' : 'not yet there'),
    ),
    standing === undefined || state === null
      ? null
      : h(
          'span',
          { class: 'lasting', title: `since ${exact(standing.since)}` },
          isOver ? `at ${clock(standing.since)}` : `for ${lasting(shownMoment() - standing.since)}`,
        ),
    row.status === 'active' || !isLive ? null : h('span', { class: 'archetype' }, row.status),
    isLive && row.working ? h('span', { class: 'agent' }, 'agent runs') : null,
    isLive ? controls(row) : null,
    h(
      'div',
      { class: 'mission' },
      row.missions.length > 1 ? missionPicker(row, standing) : null,
      standing?.subject
        ? h('details', { key: 'words' }, h('summary', {}, standing.subject), missionText(words))
        : h('span', { class: 'muted' }, state === null ? '' : 'no mission yet'),
    ),
  )
}

function missionText(words: MissionWords | undefined): Shown {
  return h(
    'div',
    { class: 'words' },
    words?.body && words.body !== words.subject ? h('p', { class: 'body' }, words.body) : null,
    (words?.instructions ?? []).map(({ at, subject, body }) =>
      h('p', { class: 'body' }, h('b', {}, `${clock(at)} ${subject}`), body === '' ? '' : `\n${body}`),
    ),
    words?.body || (words?.instructions.length ?? 0) > 0 ? null : h('p', { class: 'muted' }, 'that is all'),
  )
}

/** Leads to the end of each mission. */
function missionPicker(row: TeamRow, standing: Standing | undefined): Shown {
  return h(
    'select',
    {
      class: 'missions',
      'aria-label': 'Mission',
      title: 'Missions of this team',
      key: `missions ${row.missions.length} ${standing?.mission ?? 0}`,
      onchange: (event: { target: HTMLSelectElement }) => {
        const number = Number(event.target.value)
        const isLast = number === row.missions.at(-1)?.number
        showMoment(isLast ? undefined : row.segments.findLast(({ mission }) => mission === number)?.at)
      },
    },
    row.missions.map(({ number, subject }) =>
      h(
        'option',
        { value: number, selected: number === standing?.mission },
        `mission ${number}${subject === '' ? '' : `: ${subject.slice(0, 50)}`}`,
      ),
    ),
  )
}

function controls({ team, stance, status }: TeamRow): Shown {
  const isPaused = stance === 'paused'
  const isOver = stance === 'finished' || stance === null || status === 'archived'
  const isAlone = !model.isConnected
  return h(
    'span',
    { class: 'controls' },
    h(
      'button',
      {
        type: 'button',
        id: 'pause',
        disabled: isOver || isAlone,
        title: isPaused ? 'fed resume (p)' : 'fed pause (p)',
        onclick: () => void carryOut(team, isPaused ? 'resume' : 'pause'),
      },
      isPaused ? 'Resume' : 'Pause',
    ),
    h(
      'button',
      {
        type: 'button',
        id: 'send',
        class: 'primary',
        disabled: isAlone,
        title: 'fed send (s)',
        onclick: () => openDialog({ kind: 'send', address: team }),
      },
      'Send…',
    ),
  )
}

function health({ findings }: TeamRow): Shown | null {
  if (findings.length === 0) return null
  return h(
    'ul',
    { class: 'health', 'aria-label': 'Health', key: 'health' },
    findings.map(({ kind, message, fix }) =>
      h(
        'li',
        { key: `${kind} ${message}` },
        h('b', {}, kind),
        h('span', {}, message),
        h('span', { class: 'fix' }, fix),
      ),
    ),
  )
}

/** How long the team was in each state of this mission. */
function states(row: TeamRow, { mission, stance }: Standing): Shown | null {
  const way = wayOf(row, mission, shownMoment())
  const [first] = way
  if (first === undefined) return null
  const moves = way.slice(1).map(({ at, state, event = '' }, index) => ({
    at: exact(at),
    event,
    from: way[index]?.state ?? '',
    to: state,
  }))
  const isOver = stance === 'finished'
  const until = isOver ? (way.at(-1)?.at ?? 0) : shownMoment()
  const visits = visitsOf(staysOf(moves, { state: first.state, begun: first.at, until }))
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
            state === here ? stance : state === 'paused' ? 'paused' : 'working',
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
function accepts({ accepts: accepted }: Detail): Shown | null {
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

const names: Record<Tab, string> = {
  history: 'History',
  mailbox: 'Mailbox',
  findings: 'Findings',
  document: 'Document',
}

function tabbed(row: TeamRow, detail: Detail): Shown {
  const moment = shownMoment()
  const standing = standingAt(row, moment)
  const waiting = (detail.mail?.signals ?? []).filter(
    (signal) => signal.at <= moment && waits(signal, moment),
  ).length
  const counts: Record<Tab, number> = {
    history: standing?.refused ?? 0,
    mailbox: waiting,
    findings: detail.learnings.filter(({ at }) => at <= moment).length,
    document: 0,
  }
  const panels: Record<Tab, () => Shown> = {
    history: () => historyPanel(detail),
    mailbox: () => mailPanel(detail.team, detail.mail ?? { signals: [], left: 0, quarantined: [] }),
    findings: () => findingsPanel(detail),
    document: () => documentPanel(detail),
  }
  return h(
    'section',
    { class: 'panel tabbed' },
    h(
      'header',
      { role: 'tablist' },
      tabs.map((tab) =>
        h(
          'button',
          {
            type: 'button',
            role: 'tab',
            id: `tab-${tab}`,
            'aria-selected': String(model.tab === tab),
            'aria-controls': 'shown',
            onclick: () => update(() => (model.tab = tab)),
          },
          names[tab],
          counts[tab] > 0
            ? h(
                'span',
                {
                  class: `count${tab === 'history' ? ' bad' : ''}`,
                  title: tab === 'history' ? 'refused' : '',
                },
                tab === 'history' ? `✗ ${counts[tab]}` : counts[tab],
              )
            : null,
        ),
      ),
    ),
    h(
      'div',
      {
        class: 'content',
        id: 'shown',
        role: 'tabpanel',
        'aria-labelledby': `tab-${model.tab}`,
        key: model.tab,
        tabindex: '0',
      },
      panels[model.tab](),
    ),
  )
}

/** The coordinator's mail, in the place of a team. */
export function metaPanel(): Shown {
  return h(
    'main',
    { class: 'team meta', key: 'meta', 'aria-label': 'Inbox of meta' },
    h(
      'header',
      { class: 'head' },
      h(
        'button',
        {
          class: 'back',
          type: 'button',
          'aria-label': 'All teams',
          onclick: () => update(() => (model.isListShown = true)),
        },
        '‹',
      ),
      h('h1', {}, 'meta'),
      h('span', { class: 'archetype' }, 'coordinator'),
      h(
        'div',
        { class: 'mission muted' },
        'What teams told and asked. An answer acknowledges; a monitoring cycle acknowledges reports.',
      ),
    ),
    h(
      'section',
      { class: 'panel inbox' },
      h('div', { class: 'content', tabindex: '0' }, mailPanel('meta', model.meta)),
    ),
  )
}
