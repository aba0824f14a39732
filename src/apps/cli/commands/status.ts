import type { Command } from 'commander'
import type { WaitsFor } from '../../../agents/sessions/open-questions.ts'
import type { TeamStatus } from '../../../federation/team-status.ts'
import type { HealthFinding } from '../../../monitor/health-finding.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import type { TeamElsewhere } from '../../../federation/elsewhere.ts'
import { ageInWords } from '../../../protocol/duration.ts'
import { print, table } from '../output.ts'
import { oneLine } from '../plain-text.ts'
import { perform } from '../perform.ts'
import { refuseMeta } from '../scope.ts'
import type { Row, SessionSummary, Shown, Unreadable } from '../standing-requests.ts'

/** Loaded where they are carried out, which is not in an agent's session. */
const requests = {
  one: async () => (await import('../standing-requests.ts')).standing,
  all: async () => (await import('../standing-requests.ts')).standings,
}

export function registerStatus(program: Command): void {
  declare(
    program,
    'status [team]',
    'Show where a team stands and what it accepts now; without one, all teams',
    'fed status docs --json',
  ).action(async (id: string | undefined, options: CommonOptions) => {
    if (id !== undefined) {
      refuseMeta(id)
      const status = await perform(options, 'status', requests.one, { team: id })
      const [{ describeProof }, { describeSpent }] = await Promise.all([
        import('../../../engine/step/proof.ts'),
        import('../../../agents/usage/session-usage.ts'),
      ])
      return print(options, status, () =>
        'site' in status
          ? describeElsewhere(status)
          : 'error' in status
            ? rows([status])
            : describe(
                status,
                status.checks === null ? [] : describeProof(status.checks),
                describeSpent(status.used),
              ),
      )
    }
    const all = await perform(options, 'status-of-all', requests.all, { whole: options.json === true })
    print(options, all, () =>
      all.length === 0 ? "no teams yet; 'fed onboard <name>' creates one" : rows(all),
    )
    if (all.some((one) => 'error' in one && !isUnknown(one))) process.exitCode = 1
  })
}

/** Whether nothing is wrong with the team but that its archetype's code is not trusted. */
function isUnknown({ findings }: Unreadable): boolean {
  return findings.every(({ kind }) => kind === 'unknown')
}

/** Aligned rows, each with what is not healthy below it. */
function rows(all: readonly (Row | Unreadable | TeamElsewhere)[]): string {
  const lines = table(all.map(row)).split('\n')
  return all
    .flatMap((one, index) => [
      lines[index] ?? '',
      ...('findings' in one ? one.findings.map(sentenceBelow) : []),
    ])
    .join('\n')
}

function describeElsewhere(team: TeamElsewhere): string {
  const { site, archetype, state, version, mission, at, document, place } = team
  return [
    `${nameOf(team)}  ${archetype}  ${state ?? 'no life yet'} at site ${site}, version ${version} of ${at}, as read ${readInWords(team)}`,
    `mission: ${oneLine(mission?.subject ?? 'none')}`,
    ...(document === null
      ? []
      : [`document: ${oneLine(document.name)}, ${document.digest}; 'fed link fetch ${team.team}' brings it`]),
    `copy of its life: ${place}`,
  ].join('\n')
}

/** How old what is known of another site's team is at most, when its link runs. */
function readInWords({ ageMs }: TeamElsewhere): string {
  return ageMs === null ? 'never' : `${ageInWords(ageMs)} ago`
}

function sentenceBelow({ kind, message, fix }: HealthFinding): string {
  return `  ${oneLine(`${kind}: ${message}; ${fix}`)}`
}

/** A team's id, and what people call it where that is something else. */
function nameOf({ team, domain }: Pick<TeamStatus, 'team' | 'domain'>): string {
  return domain === team ? team : `${team} (${oneLine(domain)})`
}

function row(one: Row | Unreadable | TeamElsewhere): string[] {
  if ('site' in one)
    return [
      nameOf(one),
      one.archetype,
      one.state ?? '',
      `at ${one.site}`,
      `as read ${readInWords(one)}`,
      one.mission?.subject ?? 'no mission',
    ]
  if ('error' in one)
    return [nameOf(one), one.archetype, isUnknown(one) ? 'unknown' : 'unreadable', one.status ?? '', '', '']
  const { archetype, state, status, mission, mailbox, session } = one
  const working = session?.running ? ', an agent works' : ''
  const asks = one.waitsFor === null ? '' : `, waits for an answer of ${one.waitsFor.to}`
  const idle = one.started ? '' : ', not started'
  const waiting = `${mailbox.unacknowledged} waiting${working}${idle}${asks}`
  return [nameOf(one), archetype, state, status, waiting, mission?.subject ?? 'no mission']
}

/**
 * @param checks a line for each, of a team whose work is proved by them.
 * @param used what the mission used up.
 */
function describe(status: Shown, checks: readonly string[], used: string): string {
  const { mailbox, mission, failure, session, findings } = status
  const isToldAsFailed = findings.some(({ kind }) => kind === 'failed')
  const accepts = status.accepts.map(
    ({ event, missing }) =>
      `  ${event}${missing.length === 0 ? '' : `  needs that ${missing.join(', and that ')}`}`,
  )
  return [
    `${nameOf(status)}  ${status.archetype}  ${status.state} since ${status.since}, ${status.status} in the registry`,
    `mission: ${oneLine(mission?.subject ?? 'none')}${status.target === null ? '' : `, to be merged into ${status.target}`}`,
    ...(status.waitsFor === null ? [] : [`waits: for ${describeWait(status.waitsFor)}`]),
    ...(status.pause === null ? [] : [`paused: ${oneLine(status.pause)}`]),
    ...(failure === null || isToldAsFailed ? [] : [`failed: ${oneLine(failure.reason)}`]),
    ...healthLines(status),
    `mailbox: ${mailbox.unacknowledged} waiting${mailbox.quarantined === 0 ? '' : `, ${mailbox.quarantined} in quarantine`}`,
    `agent: ${oneLine(status.agent)}`,
    `session: ${session === null ? 'none yet' : describeSession(session)}`,
    ...(session === null ? [] : [`used: ${used}`]),
    `rights: best effort: whoever unsets FED_TRAY is a person there; 'fed rights ${status.team}' shows them`,
    ...(checks.length === 0 ? [] : ['checks:', ...checks.map((line) => `  ${oneLine(line)}`)]),
    `workspace: ${status.workspace}`,
    ...(accepts.length === 0 ? [] : ['accepts:', ...accepts]),
  ].join('\n')
}

function healthLines({ team, started, findings, mission }: Shown): string[] {
  if (findings.length > 0) return [`health:${started ? '' : ' not started'}`, ...findings.map(sentenceBelow)]
  if (started) return ['health: nothing is wrong']
  const begin = mission === null ? `fed run --team ${team} "<mission>"` : `fed launch --team ${team}`
  return [`health: not started; '${begin}' begins`]
}

function describeWait({ to, subject, since }: WaitsFor): string {
  return oneLine(`an answer of ${to} since ${since}: ${subject}`)
}

function describeSession({ agent, at, running, hold, log }: SessionSummary): string {
  const when = running ? `running since ${at}` : `begun ${at}, over`
  return `${[oneLine(agent), when, ...(hold === null ? [] : [hold])].join(', ')}; output in ${log}`
}
