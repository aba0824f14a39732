import type { TeamRow } from './past.ts'
import { h, type Shown } from './dom.ts'
import { update } from './model-changes.ts'
import { META, model, toneOf } from './page-model.ts'
import { mailShown, shownMoment, standingAt } from './moment.ts'
import { allGroups, isGrouped, isNotStarted, shownGroups, type Group } from './groups.ts'
import { isAsking, waits } from './mail-panel.ts'
import { select } from './server-events.ts'
import { counted, exact, roughly } from './figures-in-words.ts'

export function teamList(): Shown {
  const moment = shownMoment()
  const groups = shownGroups()
  return h(
    'nav',
    { class: 'teams', 'aria-label': 'Teams' },
    h(
      'div',
      { class: 'filter' },
      h('input', {
        id: 'filter',
        type: 'search',
        placeholder: `Filter ${counted(model.order.length, 'team')}`,
        'aria-label': 'Filter teams',
        autocomplete: 'off',
        spellcheck: 'false',
        value: model.filter,
        oninput: (event: { target: HTMLInputElement }) => update(() => (model.filter = event.target.value)),
      }),
      h('kbd', {}, '/'),
    ),
    groupChips(),
    h(
      'ul',
      { class: 'rows' },
      metaRow(),
      groups.flatMap((group) => [
        group.name === '' ? null : groupHeading(group),
        ...group.rows.map((row) => teamRow(row, moment)),
      ]),
      model.order.length > 0 && groups.every(({ rows }) => rows.length === 0)
        ? h('li', { class: 'empty', key: '(none)' }, 'No team fits the filter')
        : null,
    ),
  )
}

/** How many teams there are in each state; one that is pressed shows its teams alone. */
function groupChips(): Shown | null {
  const groups = allGroups()
  const chosen = groups.find(({ name }) => name === model.group)
  const gone =
    model.group === undefined || chosen !== undefined
      ? []
      : [{ name: model.group, tone: 'none' as const, rows: [] }]
  if (groups.length + gone.length === 0) return null
  return h(
    'div',
    { class: 'chips', role: 'group', 'aria-label': 'Teams by state', key: 'chips' },
    [...groups, ...gone].map(({ name, tone, rows }) =>
      h(
        'button',
        {
          type: 'button',
          key: name,
          class: 'chip',
          'aria-pressed': String(name === model.group),
          onclick: () => update(() => (model.group = name === model.group ? undefined : name)),
        },
        h('span', { class: `dot ${name === 'not started' ? 'idle' : tone}` }),
        h('b', {}, rows.length),
        ` ${name}`,
      ),
    ),
  )
}

function groupHeading({ name, tone, rows }: Group): Shown {
  const sick = model.moment === undefined ? rows.filter(({ findings }) => findings.length > 0).length : 0
  return h(
    'li',
    { class: 'group', key: `(${name})` },
    h('span', { class: `dot ${name === 'not started' ? 'idle' : tone}` }),
    h('span', { class: 'name' }, name),
    h('span', { class: 'size' }, rows.length),
    sick > 0 ? badge('bad', `${sick} unhealthy`, '') : null,
  )
}

function metaRow(): Shown {
  const moment = shownMoment()
  const waiting = mailShown(META).signals.filter((signal) => waits(signal, moment))
  const asking = waiting.filter(isAsking).length
  const news = waiting.length - asking
  return h(
    'li',
    { key: META },
    h(
      'button',
      {
        class: 'row meta',
        'aria-current': model.selected === META ? 'true' : undefined,
        onclick: () => select(META),
        type: 'button',
      },
      h('span', { class: 'dot meta' }),
      h(
        'span',
        { class: 'line' },
        h('span', { class: 'name' }, 'meta'),
        h('span', { class: 'state' }, asking === 0 ? 'nothing waits' : `${asking} waiting`),
      ),
      h('span', { class: 'subject' }, news === 0 ? 'Inbox of the coordinator' : counted(news, 'new report')),
      h('span', { class: 'badges' }, asking > 0 ? badge('bad', `${asking}`, 'alerts and questions') : null),
    ),
  )
}

function teamRow(row: TeamRow, moment: number): Shown {
  const isLive = model.moment === undefined
  const standing = standingAt(row, moment)
  const state = isLive ? row.state : (standing?.state ?? null)
  const phase = isLive ? row.phase : (standing?.phase ?? null)
  const tone = toneOf(row.spine, state, phase)
  const isSick = isLive && row.findings.length > 0
  const isIdle = isNotStarted(row)
  return h(
    'li',
    { key: row.team },
    h(
      'button',
      {
        class: `row${isSick ? ' sick' : ''}${row.status === 'archived' ? ' archived' : ''}`,
        type: 'button',
        'data-team': row.team,
        'aria-current': model.selected === row.team ? 'true' : undefined,
        onclick: () => select(row.team),
      },
      h('span', {
        class: `dot ${isIdle ? 'idle' : tone}${isLive && row.working ? ' running' : ''}`,
        title: isLive && row.working ? 'an agent works' : '',
      }),
      h(
        'span',
        { class: 'line' },
        h('span', { class: 'name', title: row.team }, row.team),
        h(
          'span',
          { class: 'state', title: standing === undefined ? '' : `since ${exact(standing.since)}` },
          state ?? (standing === undefined && !isLive ? 'not yet there' : 'unreadable'),
          standing === undefined || isIdle
            ? null
            : h(
                'span',
                { class: 'lasting' },
                ` ${phase === 'finished' ? '' : roughly(moment - standing.since)}`,
              ),
        ),
      ),
      strip(row, state, isIdle ? 'none' : tone),
      h('span', { class: 'subject', dir: 'auto' }, standing?.subject || (isSick ? '' : 'no mission')),
      h(
        'span',
        { class: 'badges' },
        isLive && row.waiting > 0
          ? badge('mail', `${row.waiting}`, `${counted(row.waiting, 'signal')} waiting`)
          : null,
        (standing?.refused ?? 0) > 0
          ? badge(
              'bad',
              `${standing?.refused}`,
              `${counted(standing?.refused ?? 0, 'event')} refused in this mission`,
              '✗ ',
            )
          : null,
        isIdle && !isGrouped() ? badge('idle', 'not started', beginWith(row)) : null,
        isSick
          ? badge('bad', row.findings[0]?.kind ?? '', row.findings.map(({ message }) => message).join('\n'))
          : null,
      ),
    ),
  )
}

/** The command with which a team begins. */
export function beginWith({ team, missions }: TeamRow): string {
  const hasMission = (missions.at(-1)?.subject ?? '') !== ''
  return hasMission ? `fed launch --team ${team}` : `fed run --team ${team} "<mission>"`
}

/** How far a team is on its way, as a few blocks. */
function strip({ spine }: TeamRow, state: string | null, tone: string): Shown {
  const place = spine.indexOf(state ?? '')
  return h(
    'span',
    { class: 'strip', 'aria-hidden': 'true' },
    spine.map((_, index) =>
      h('i', {
        class:
          index < place
            ? 'past'
            : index === place
              ? tone
              : tone === 'failed' || tone === 'paused'
                ? `beside`
                : '',
      }),
    ),
    place < 0 && state !== null ? h('i', { class: `off ${tone}` }) : null,
  )
}

function badge(kind: string, text: string, title: string, sign = ''): Shown {
  return h('span', { class: `badge ${kind}`, title }, `${kind === 'mail' ? '✉ ' : sign}${text}`)
}
