import { counted } from '../../../../errors/printable.ts'
import { META, model, toneOf, type TeamRow } from './page-model.ts'
import type { VNode } from 'preact'
import { update } from './model-changes.ts'
import { mailShown, shownMoment, standingAt } from './moment.ts'
import { allGroups, isGrouped, isNotStarted, shownGroups, type Group } from './groups.ts'
import { isAsking, waits } from './mail-panel.tsx'
import { select } from './server-events.ts'
import { ago, exact, roughly } from './figures-in-words.ts'

export function teamList(): VNode {
  const moment = shownMoment()
  const groups = shownGroups()
  return (
    <nav class="teams" aria-label="Teams">
      <div class="filter">
        <input
          id="filter"
          type="search"
          placeholder={`Filter ${counted(model.order.length, 'team')}`}
          aria-label="Filter teams"
          autocomplete="off"
          spellcheck={false}
          value={model.filter}
          onInput={({ currentTarget: { value } }) => update(() => (model.filter = value))}
        />
        <kbd>/</kbd>
      </div>
      {groupChips()}
      <ul class="rows">
        {metaRow()}
        {groups.flatMap((group) => [
          group.name === '' ? null : groupHeading(group),
          ...group.rows.map((row) => teamRow(row, moment)),
        ])}
        {model.order.length > 0 && groups.every(({ rows }) => rows.length === 0) ? (
          <li class="empty" key="(none)">
            No team fits the filter
          </li>
        ) : null}
        {elsewhereRows()}
      </ul>
    </nav>
  )
}

/** Teams of other sites: where they live, and how old what is known of them is. They are looked at there. */
function elsewhereRows(): (VNode | null)[] {
  const { readAt, teams } = model.elsewhere
  const words = model.filter.trim().toLowerCase()
  const shown = teams.filter(({ team, site }) => `${team} ${site}`.toLowerCase().includes(words))
  if (shown.length === 0 || model.moment !== undefined) return []
  return [
    <li class="group" key="(elsewhere)">
      <span class="dot idle" />
      <span class="name">at other sites</span>
      <span class="size">{readAt === null ? 'never read' : `as read ${ago(Date.now() - readAt)}`}</span>
    </li>,
    ...shown.map(({ team, site, archetype, state, subject, at }) => (
      <li key={`(${site}) ${team}`}>
        <div class="row elsewhere" title={`${archetype} at ${site}, written ${exact(at)} by its clock`}>
          <span class="dot idle" />
          <span class="line">
            <span class="name">{team}</span>
            <span class="state">{state ?? 'begins'}</span>
          </span>
          <span class="subject" dir="auto">
            {`at ${site}${subject === '' ? '' : `: ${subject}`}`}
          </span>
        </div>
      </li>
    )),
  ]
}

/** How many teams there are in each state; one that is pressed shows its teams alone. */
function groupChips(): VNode | null {
  const groups = allGroups()
  const chosen = groups.find(({ name }) => name === model.group)
  const gone =
    model.group === undefined || chosen !== undefined
      ? []
      : [{ name: model.group, tone: 'none' as const, rows: [] }]
  if (groups.length + gone.length === 0) return null
  return (
    <div class="chips" role="group" aria-label="Teams by state" key="chips">
      {[...groups, ...gone].map(({ name, tone, rows }) => (
        <button
          type="button"
          key={name}
          class="chip"
          aria-pressed={name === model.group}
          onClick={() => update(() => (model.group = name === model.group ? undefined : name))}
        >
          <span class={`dot ${name === 'not started' ? 'idle' : tone}`} />
          <b>{rows.length}</b> {name}
        </button>
      ))}
    </div>
  )
}

function groupHeading({ name, tone, rows }: Group): VNode {
  const sick = model.moment === undefined ? rows.filter(({ findings }) => findings.length > 0).length : 0
  return (
    <li class="group" key={`(${name})`}>
      <span class={`dot ${name === 'not started' ? 'idle' : tone}`} />
      <span class="name">{name}</span>
      <span class="size">{rows.length}</span>
      {sick > 0 && badge('bad', `${sick} unhealthy`, '')}
    </li>
  )
}

function metaRow(): VNode {
  const moment = shownMoment()
  const waiting = mailShown(META).signals.filter((signal) => waits(signal, moment))
  const asking = waiting.filter(isAsking).length
  const news = waiting.length - asking
  return (
    <li key={META}>
      <button
        class="row meta"
        aria-current={model.selected === META ? 'true' : undefined}
        onClick={() => select(META)}
        type="button"
      >
        <span class="dot meta" />
        <span class="line">
          <span class="name">meta</span>
          <span class="state">{asking === 0 ? 'nothing waits' : `${asking} waiting`}</span>
        </span>
        <span class="subject">{news === 0 ? 'Inbox of the coordinator' : counted(news, 'new report')}</span>
        <span class="badges">{asking > 0 && badge('bad', `${asking}`, 'alerts and questions')}</span>
      </button>
    </li>
  )
}

function teamRow(row: TeamRow, moment: number): VNode {
  const isLive = model.moment === undefined
  const standing = standingAt(row, moment)
  const state = isLive ? row.state : (standing?.state ?? null)
  const phase = isLive ? row.phase : (standing?.phase ?? null)
  const tone = toneOf(row.spine, state, phase)
  const isSick = isLive && row.findings.length > 0
  const isIdle = isNotStarted(row)
  return (
    <li key={row.team}>
      <button
        class={`row${isSick ? ' sick' : ''}${row.status === 'archived' ? ' archived' : ''}`}
        type="button"
        data-team={row.team}
        aria-current={model.selected === row.team ? 'true' : undefined}
        onClick={() => select(row.team)}
      >
        <span
          class={`dot ${isIdle ? 'idle' : tone}${isLive && row.working ? ' running' : ''}`}
          title={isLive && row.working ? 'an agent works' : ''}
        />
        <span class="line">
          <span class="name" title={row.team}>
            {row.team}
          </span>
          <span class="state" title={standing === undefined ? '' : `since ${exact(standing.since)}`}>
            {state ?? (standing === undefined && !isLive ? 'not yet there' : 'unreadable')}
            {standing === undefined || isIdle ? null : (
              <span class="lasting"> {phase === 'finished' ? '' : roughly(moment - standing.since)}</span>
            )}
          </span>
        </span>
        {strip(row, state, isIdle ? 'none' : tone)}
        <span class="subject" dir="auto">
          {standing?.subject || (isSick ? '' : 'no mission')}
        </span>
        <span class="badges">
          {isLive &&
            row.waiting > 0 &&
            badge('mail', `${row.waiting}`, `${counted(row.waiting, 'signal')} waiting`)}
          {(standing?.refused ?? 0) > 0 &&
            badge(
              'bad',
              `${standing?.refused}`,
              `${counted(standing?.refused ?? 0, 'event')} refused in this mission`,
              '✗ ',
            )}
          {isIdle && !isGrouped() && badge('idle', 'not started', beginWith(row))}
          {isSick &&
            badge('bad', row.findings[0]?.kind ?? '', row.findings.map(({ message }) => message).join('\n'))}
        </span>
      </button>
    </li>
  )
}

/** The command with which a team begins. */
export function beginWith({ team, missions }: TeamRow): string {
  const hasMission = (missions.at(-1)?.subject ?? '') !== ''
  return hasMission ? `fed launch --team ${team}` : `fed run --team ${team} "<mission>"`
}

/** How far a team is on its way, as a few blocks. */
function strip({ spine }: TeamRow, state: string | null, tone: string): VNode {
  const place = spine.indexOf(state ?? '')
  return (
    <span class="strip" aria-hidden="true">
      {spine.map((_, index) => (
        <i
          class={
            index < place
              ? 'past'
              : index === place
                ? tone
                : tone === 'failed' || tone === 'paused'
                  ? `beside`
                  : ''
          }
        />
      ))}
      {place < 0 && state !== null && <i class={`off ${tone}`} />}
    </span>
  )
}

function badge(kind: string, text: string, title: string, sign = ''): VNode {
  return (
    <span class={`badge ${kind}`} title={title}>
      {kind === 'mail' ? '✉ ' : sign}
      {text}
    </span>
  )
}
