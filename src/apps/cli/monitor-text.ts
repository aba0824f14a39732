import type { CycleReport } from '../../monitor/cycle-report.ts'
import type { HealthFinding } from '../../monitor/health-finding.ts'
import type { TeamReport } from '../../monitor/team-report.ts'
import { META } from '../../protocol/team-id.ts'
import type { FiledSignal } from '../../records/signals/mailbox.ts'
import { figuresInWords } from '../../agents/usage/session-usage.ts'
import { ageInWords } from '../../protocol/duration.ts'
import { table } from './output.ts'
import { oneLine } from './plain-text.ts'

/** How a report is shown. */
export interface Style {
  readonly isColoured: boolean
  /** Without the teams that are healthy. Mail is shown all the same: a cycle acknowledges the reports. */
  readonly quiet?: boolean
}

/** More mail of one kind than this is counted. */
const mostMail = 20

/** A cycle's report as lines: what is not healthy first. */
export function linesOf(report: CycleReport, style: Style): string[] {
  const { teams, findings, mail } = report
  const unhealthy = teams.filter(({ healthy }) => !healthy)
  const healthy = style.quiet ? [] : teams.filter((team) => team.healthy)
  return [
    headOf(report),
    ...findings.filter(({ team }) => team === META).flatMap((finding) => findingLines(finding, style)),
    ...report.settled.map(settledLine),
    ...teamLines([...unhealthy, ...healthy], report, style),
    ...(style.quiet ? [] : elsewhereLines(report)),
    ...mailLines(mail, report),
    ...chatLines(report),
  ]
}

/** A row for each team of another site: how it stands there is that site's to judge. */
function elsewhereLines({ elsewhere = [] }: CycleReport): string[] {
  if (elsewhere.length === 0) return []
  const rows = elsewhere.map(({ team, archetype, state, site, ageMs }) => [
    team,
    archetype,
    state ?? '',
    `at ${site}`,
    ageMs === null ? 'never read' : `as read ${ageInWords(ageMs)} ago`,
  ])
  return table(rows)
    .split('\n')
    .map((line) => `  ${line}`)
}

export function chatLines({ chat }: CycleReport): string[] {
  return chat === undefined ? [] : [oneLine(chat)]
}

export function headOf({ at, teams, findings, inbox }: CycleReport): string {
  const count = teams.length === 1 ? '1 team' : `${teams.length} teams`
  const unhealthy = teams.filter(({ healthy }) => !healthy).length
  const idle = teams.filter((team) => wordFor(team) === 'not started').length
  const isAbove = unhealthy > 0 || findings.length > 0
  const health = [
    ...(unhealthy > 0 ? [`${unhealthy} unhealthy`] : findings.length > 0 ? ['meta is waited for'] : []),
    ...(isAbove || teams.length === idle
      ? []
      : [idle === 0 ? 'all healthy' : `${teams.length - idle} healthy`]),
    ...(idle === 0 ? [] : [idle === teams.length ? 'not started' : `${idle} not started`]),
  ]
  return [`${at}  ${count}`, ...health, `${inbox} unread for meta`].join(', ')
}

/** A team in a word: of one that was never launched nobody can say that it is well. */
export function wordFor({ healthy, started }: TeamReport): 'healthy' | 'unhealthy' | 'not started' {
  return !healthy ? 'unhealthy' : started ? 'healthy' : 'not started'
}

export function settledLine({ team, from, to }: CycleReport['settled'][number]): string {
  return `  ${team} was ${from} in the registry, which did not say what its lifecycle says; it is ${to} there now`
}

/** Aligned rows of teams, each with its findings below it. */
export function teamLines(teams: readonly TeamReport[], report: CycleReport, style: Style): string[] {
  if (teams.length === 0) return []
  const present = Date.parse(report.at)
  const rows = table(teams.map((team) => row(team, present))).split('\n')
  return teams.flatMap((team, index) => [
    `${sign(wordFor(team), style)} ${rows[index]}`,
    ...team.findings.flatMap((finding) => findingLines(finding, style).map((line) => `  ${line}`)),
  ])
}

function row(team: TeamReport, present: number): string[] {
  const { since, waiting, waitingSince } = team
  const age = waitingSince === null ? '' : ` for ${ageInWords(present - Date.parse(waitingSince))}`
  return [
    team.team,
    team.archetype,
    team.state ?? (team.healthy ? '' : 'unreadable'),
    team.status ?? '',
    since === null ? '' : ageInWords(present - Date.parse(since)),
    `${team.handled} handled, ${waiting} waiting${age}${worksInWords(team)}${team.started ? '' : ', not started'}${waitsInWords(team, present)}`,
  ]
}

function worksInWords({ working, used }: TeamReport): string {
  if (!working) return ''
  return used === null ? ', an agent works' : `, an agent works (used ${figuresInWords(used)})`
}

function waitsInWords({ waitsFor }: TeamReport, present: number): string {
  if (waitsFor === null) return ''
  const { to, subject, since } = waitsFor
  return `, waits for ${to} since ${ageInWords(present - Date.parse(since))}: ${oneLine(subject)}`
}

export function findingLines({ kind, message, fix }: HealthFinding, style: Style): string[] {
  return [`  ${paint(`${kind}:`, 31, style)} ${oneLine(message)}`, `  → ${oneLine(fix)}`]
}

/** Alerts first, then questions, directives and the reports. */
export function mailLines(mail: readonly FiledSignal[], { at }: CycleReport): string[] {
  if (mail.length === 0) return []
  const present = Date.parse(at)
  const kinds = [...new Set(mail.map(({ type }) => type))]
  const shown = kinds.flatMap((kind) => mail.filter(({ type }) => type === kind).slice(0, mostMail))
  const rows = shown.map(({ type, from, subject, timestamp }) => [
    type,
    from,
    `${ageInWords(present - Date.parse(timestamp))} ago`,
    subject,
  ])
  const more = mail.length - shown.length
  return [
    kinds.includes('report') ? 'mail for meta, reports are acknowledged now:' : 'mail for meta:',
    ...table(rows)
      .split('\n')
      .map((line) => `  ${line}`),
    ...(more > 0 ? [`  and ${more} more: 'fed inbox meta --all' shows them`] : []),
  ]
}

export function sign(word: ReturnType<typeof wordFor>, style: Style): string {
  if (word === 'not started') return '·'
  return word === 'healthy' ? paint('✓', 32, style) : paint('✗', 31, style)
}

function paint(text: string, colour: number, { isColoured }: Style): string {
  return isColoured ? `\u001B[${colour}m${text}\u001B[39m` : text
}

/** What changed since the cycle before, as lines; none when nothing did. */
export function changesBetween(before: CycleReport, report: CycleReport, style: Style): string[] {
  const known = new Map(before.teams.map((team) => [team.team, essence(team)]))
  const changed = report.teams.filter((team) => team.handled > 0 || known.get(team.team) !== essence(team))
  const gone = before.teams.filter(({ team }) => !report.teams.some((one) => one.team === team))
  const seen = new Set(before.mail.map(({ id }) => id))
  const news = report.mail.filter(({ id }) => !seen.has(id))
  const chat = report.chat === before.chat ? [] : chatLines(report)
  if (changed.length === 0 && gone.length === 0 && news.length === 0) return chat
  return [
    headOf(report),
    ...gone.map(({ team }) => `  ${team} is no longer registered`),
    ...teamLines(
      changed.toSorted((a, b) => Number(a.healthy) - Number(b.healthy)),
      report,
      style,
    ),
    ...mailLines(news, report),
    ...chat,
  ]
}

/** A team without what time alone changes. */
function essence({ status, state, waiting, working, started, waitsFor, findings }: TeamReport): string {
  return JSON.stringify([
    status,
    state,
    waiting,
    working,
    started,
    waitsFor?.signal,
    findings.map(({ kind }) => kind),
  ])
}
