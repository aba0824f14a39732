import { counted } from '../../errors/printable.ts'
import type { CycleReport } from '../../monitor/cycle-report.ts'
import type { TeamReport } from '../../monitor/team-report.ts'
import { META } from '../../protocol/team-id.ts'
import {
  chatLines,
  findingLines,
  headOf,
  mailLines,
  settledLine,
  sign,
  teamLines,
  wordFor,
  type Style,
} from './monitor-text.ts'
import { oneLine } from './plain-text.ts'

/**
 * A cycle's report for a window of `rows` lines. What needs somebody stands first: what is not healthy, and
 * alerts, questions and directives for meta. Its lines are shortened before any is left out; of the rest
 * there are as many lines as fit, and how many teams the others are.
 */
export function screenOf(report: CycleReport, style: Style, rows: number): string[] {
  const head = headOf(report)
  const room = rows - 1
  const rest = style.quiet ? [] : report.teams.filter(({ healthy }) => healthy).toSorted(byWork)
  // a line is kept for those who are well
  const forNeeds = room - Math.min(1, rest.length)
  const needs = [needsWhole, needsInBrief]
    .map((tell) => tell(report, style))
    .find((lines) => lines.length <= forNeeds)
  if (needs === undefined) return [head, ...cutNeeds(report, style, forNeeds), ...countedStates(rest, style)]
  return [head, ...needs, ...restLines(rest, report, style, room - needs.length)]
}

function byWork(a: TeamReport, b: TeamReport): number {
  return Number(b.working) - Number(a.working) || Number(a.waitsFor === null) - Number(b.waitsFor === null)
}

const unhealthyOf = ({ teams }: CycleReport) => teams.filter(({ healthy }) => !healthy)
const aboutMeta = ({ findings }: CycleReport) => findings.filter(({ team }) => team === META)
/** Mail for meta without reports: the cycle acknowledges these. */
const waitingMail = ({ mail }: CycleReport) => mail.filter(({ type }) => type !== 'report')

function needsWhole(report: CycleReport, style: Style): string[] {
  return [
    ...aboutMeta(report).flatMap((finding) => findingLines(finding, style)),
    ...report.settled.map(settledLine),
    ...teamLines(unhealthyOf(report), report, style),
    ...mailLines(waitingMail(report), report),
    ...chatLines(report),
  ]
}

/** A line for each team, and one for the mail. */
function needsInBrief(report: CycleReport, style: Style): string[] {
  const mail = waitingMail(report)
  const kinds = [...new Set(mail.map(({ type }) => type))]
  const counts = kinds.map((kind) => counted(mail.filter(({ type }) => type === kind).length, kind))
  return [
    ...aboutMeta(report).flatMap((finding) => findingLines(finding, style).slice(0, 1)),
    ...unhealthyOf(report).map((team) => briefly(team, style)),
    ...(mail.length > 0 ? [`  for meta: ${counts.join(', ')}; 'fed inbox meta' lists them`] : []),
  ]
}

function briefly({ team, state, findings: [first, ...others] }: TeamReport, style: Style): string {
  if (first === undefined) return `${sign('unhealthy', style)} ${team}  ${state ?? 'unreadable'}`
  const kind = first.kind === state ? '' : `${first.kind}: `
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return `${sign('unhealthy', style)} ${team}  ${kind}${oneLine(first.message)}${more}`
}

/**
 * The lines that fit; a last one names the teams of the others, where all are teams. With room for one line, only the
 * number.
 */
function cutNeeds(report: CycleReport, style: Style, room: number): string[] {
  const lines = needsInBrief(report, style)
  if (room <= 1)
    return [
      `${sign('unhealthy', style)} ${counted(lines.length, 'thing')} to look at: 'fed status' lists them`,
    ]
  const shown = lines.slice(0, room - 1)
  const names = unhealthyOf(report)
    .filter((team) => !shown.includes(briefly(team, style)))
    .map(({ team }) => team)
  const others = lines.length - shown.length
  const which = names.length === others ? names.join(', ') : "'fed status' lists them"
  return [...shown, `${sign('unhealthy', style)} and ${others} more: ${which}`]
}

function restLines(rest: readonly TeamReport[], report: CycleReport, style: Style, room: number): string[] {
  const lines = teamLines(rest, report, style)
  const reports = mailLines(
    report.mail.filter(({ type }) => type === 'report'),
    report,
  )
  if (lines.length + reports.length <= room) return [...lines, ...reports]
  if (lines.length <= room) return lines
  const shown = Math.max(0, room - 1)
  return [...lines.slice(0, shown), ...countedStates(rest.slice(shown), style, shown > 0)]
}

/** One line that counts teams by their states; none for no teams. */
function countedStates(teams: readonly TeamReport[], style: Style, isMore = false): string[] {
  if (teams.length === 0) return []
  const idle = teams.filter((team) => wordFor(team) === 'not started').length
  const well = teams.length - idle
  const counts = new Map<string, number>()
  for (const team of teams)
    if (wordFor(team) === 'healthy') counts.set(String(team.state), (counts.get(String(team.state)) ?? 0) + 1)
  const states = [...counts].toSorted(([, a], [, b]) => b - a).map(([state, count]) => `${count} ${state}`)
  const [and, more] = isMore ? ['and ', 'more '] : ['', '']
  const words = [
    ...(well > 0 ? [`${well} ${more}healthy: ${states.join(', ')}`] : []),
    ...(idle > 0 ? [`${idle} ${well > 0 ? '' : more}not started`] : []),
  ]
  return [`${sign(well > 0 ? 'healthy' : 'not started', style)} ${and}${words.join('; ')}`]
}
