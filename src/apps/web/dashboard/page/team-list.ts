import type { TeamRow } from './past.ts'
import { h, type Shown } from './dom.ts'
import { update } from './model-changes.ts'
import { META, model, toneOf } from './page-model.ts'
import { mailShown, shownMoment, standingAt } from './moment.ts'
import { select } from './store.ts'
import { counted, exact, lasting } from './figures-in-words.ts'

/** The teams that the filter lets through, in the registry's order. */
export function filteredTeams(): TeamRow[] {
  const words = model.filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const moment = shownMoment()
  return model.order
    .flatMap((team) => model.rows.get(team) ?? [])
    .filter((row) => {
      const standing = standingAt(row, moment)
      const text = [
        ...[row.team, row.archetype, row.status, standing?.state ?? 'unreadable', standing?.subject ?? ''],
        ...(row.working ? ['running'] : []),
        ...(row.waiting > 0 ? ['waiting'] : []),
        ...row.findings.map(({ kind }) => `unhealthy ${kind}`),
      ]
        .join(' ')
        .toLowerCase()
      return words.every((word) => text.includes(word))
    })
}

export function teamList(): Shown {
  const moment = shownMoment()
  const teams = filteredTeams()
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
    h(
      'ul',
      { class: 'rows' },
      metaRow(),
      teams.map((row) => teamRow(row, moment)),
      model.order.length > 0 && teams.length === 0
        ? h('li', { class: 'empty', key: '(none)' }, 'No team fits the filter')
        : null,
      model.order.length === 0 && model.isConnected
        ? h(
            'li',
            { class: 'empty', key: '(empty)' },
            'No teams yet. ',
            h('code', {}, 'fed onboard docs --archetype deliverable'),
          )
        : null,
    ),
  )
}

function metaRow(): Shown {
  const moment = shownMoment()
  const waiting = mailShown(META).signals.filter(
    ({ acknowledged }) => acknowledged === null || acknowledged > moment,
  )
  const urgent = waiting.filter(({ type }) => type === 'alert' || type === 'question').length
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
        h('span', { class: 'state' }, waiting.length === 0 ? 'nothing waits' : `${waiting.length} waiting`),
      ),
      h('span', { class: 'subject' }, 'Inbox of the coordinator'),
      h('span', { class: 'badges' }, urgent > 0 ? badge('bad', `${urgent}`, 'alerts and questions') : null),
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
        class: `dot ${tone}${isLive && row.working ? ' running' : ''}`,
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
          standing === undefined
            ? null
            : h(
                'span',
                { class: 'lasting' },
                ` ${phase === 'finished' ? '' : lasting(moment - standing.since)}`,
              ),
        ),
      ),
      strip(row, state, tone),
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
        isSick
          ? badge('bad', row.findings[0]?.kind ?? '', row.findings.map(({ message }) => message).join('\n'))
          : null,
      ),
    ),
  )
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
