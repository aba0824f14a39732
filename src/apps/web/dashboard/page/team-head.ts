import type { MissionWords } from '../shown.ts'
import type { TeamRow } from './past.ts'
import { backButton } from './back-button.ts'
import { h, type Shown } from './dom.ts'
import { model, toneOf, type Detail } from './page-model.ts'
import { commitsShown, shownMoment, type Standing } from './moment.ts'
import { isNotStarted } from './groups.ts'
import { beginWith } from './team-list.ts'
import { carryOut, openDialog, showMoment } from './server-events.ts'
import { clock, exact, lasting } from './figures-in-words.ts'

/** Who the team is, where it stands, what it was told to do, and what can be done. */
export function teamHead(row: TeamRow, detail: Detail, standing: Standing | undefined): Shown {
  return head(row, standing, wordsAt(detail, standing))
}

/** What a team was told to do, as it was known at the moment that is shown. */
function wordsAt(detail: Detail, standing: Standing | undefined): MissionWords | undefined {
  const said = commitsShown(detail).flatMap(({ mission, words }) =>
    words !== undefined && mission === standing?.mission ? [words] : [],
  )
  const last = said.at(-1)
  return last && { ...last, instructions: said.flatMap(({ instructions }) => instructions) }
}

function head(row: TeamRow, standing: Standing | undefined, words: MissionWords | undefined): Shown {
  const isLive = model.moment === undefined
  const state = isLive ? row.state : (standing?.state ?? null)
  const phase = isLive ? row.phase : (standing?.phase ?? null)
  const isOver = phase === 'finished'
  const isIdle = isNotStarted(row)
  return h(
    'header',
    { class: 'head', key: 'head' },
    backButton(() => (model.isListShown = true)),
    h('h1', {}, row.team),
    h('span', { class: 'archetype' }, row.archetype),
    h(
      'span',
      { class: `pill ${isIdle ? 'none' : toneOf(row.spine, state, phase)}`, id: 'state' },
      state ?? (isLive ? 'unreadable' : 'not yet there'),
    ),
    isIdle ? h('span', { class: 'archetype', id: 'idle' }, 'not started') : null,
    standing === undefined || state === null
      ? null
      : h(
          'span',
          { class: 'lasting', title: `since ${exact(standing.since)}` },
          isOver ? `at ${clock(standing.since)}` : `for ${lasting(shownMoment() - standing.since)}`,
        ),
    row.status === 'active' || !isLive ? null : h('span', { class: 'archetype' }, row.status),
    isLive && row.working ? h('span', { class: 'agent' }, 'agent runs') : null,
    isLive && row.asks !== null
      ? h('span', { class: 'archetype' }, `waits for an answer of ${row.asks}`)
      : null,
    isLive ? controls(row) : null,
    h(
      'div',
      { class: 'mission' },
      row.missions.length > 1 ? missionPicker(row, standing) : null,
      standing?.subject
        ? h('details', { key: 'words' }, h('summary', { dir: 'auto' }, standing.subject), missionText(words))
        : h('span', { class: 'muted' }, state === null ? '' : 'no mission yet'),
    ),
    isLive && isIdle
      ? h('div', { class: 'mission muted', key: 'begin' }, 'Begin with ', h('code', {}, beginWith(row)))
      : null,
  )
}

function missionText(words: MissionWords | undefined): Shown {
  return h(
    'div',
    { class: 'words' },
    words?.body && words.body !== words.subject ? h('p', { class: 'body', dir: 'auto' }, words.body) : null,
    (words?.instructions ?? []).map(({ at, subject, body }) =>
      h(
        'p',
        { class: 'body', dir: 'auto' },
        h('b', {}, `${clock(at)} ${subject}`),
        body === '' ? '' : `\n${body}`,
      ),
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

function controls({ team, phase, status }: TeamRow): Shown {
  const isPaused = phase === 'paused'
  const isOver = phase === 'finished' || phase === null || status === 'archived'
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

/** What is wrong with the team now. */
export function health({ findings }: TeamRow): Shown | null {
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
