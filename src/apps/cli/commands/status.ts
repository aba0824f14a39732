import type { Command } from 'commander'
import { FedError } from '../../../errors/fed-error.ts'
import { UntrustedError } from '../../../errors/untrusted-error.ts'
import type { HealthFinding } from '../../../monitor/health-finding.ts'
import type { RegistryEntry } from '../../../protocol/registry-schema.ts'
import type { WaitsFor } from '../../../agents/sessions/open-questions.ts'
import type { Team } from '../../../federation/team.ts'
import type { TeamStatus } from '../../../federation/team-status.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print, table } from '../output.ts'
import { oneLine } from '../plain-text.ts'
import { openToRead, refuseMeta } from '../scope.ts'

/** The team's last agent session. */
interface SessionSummary {
  readonly agent: string
  readonly at: string
  readonly running: boolean
  /** Whether the codebase was read-only for it; null where that is not recorded. */
  readonly sandboxed: boolean
  /** The same for people, of an agent that only reads. */
  readonly hold: string | null
  readonly log: string
}

/** As a monitoring cycle finds it (spec §6). */
interface Health {
  readonly healthy: boolean
  /** Whether its mission was begun; of a team that was never launched nobody can say that it is well. */
  readonly started: boolean
  readonly findings: readonly HealthFinding[]
}

type Shown = TeamStatus &
  Health & {
    readonly session: SessionSummary | null
    /** Why it is paused, where that was said. */
    readonly pause: string | null
    /** The answer that it waits for, null when it waits for none. */
    readonly waitsFor: WaitsFor | null
  }

/** What the list of all teams shows of one; most of a status takes longer to find out than all of this. */
type Row = Pick<
  Shown,
  'team' | 'domain' | 'archetype' | 'state' | 'status' | 'started' | 'waitsFor' | 'findings'
> & {
  readonly mission: { readonly subject: string } | null
  readonly mailbox: { readonly unacknowledged: number }
  readonly session: { readonly running: boolean } | null
}

/** A team whose files are damaged, or whose archetype is not trusted: it does not hide the others. */
interface Unreadable extends Health {
  readonly team: string
  readonly domain: string
  readonly archetype: string
  readonly state: null
  readonly accepts: readonly []
  readonly status: RegistryEntry['status']
  readonly error: string
}

export function registerStatus(program: Command): void {
  declare(
    program,
    'status [team]',
    'Show where a team stands and what it accepts now; without one, all teams',
    'fed status docs --json',
  ).action(async (id: string | undefined, options: CommonOptions) => {
    const { federation } = await openToRead(options)
    if (id !== undefined) {
      refuseMeta(id)
      const { describeProof } = await import('../../../engine/step/proof.ts')
      const entry = federation.registry.entry(federation.addressOf(id))
      const look = async () => statusOf(entry, await federation.openEntry(entry))
      const status = await look().catch((error: unknown) => {
        if (!(error instanceof UntrustedError)) throw error
        return unseen(entry, error)
      })
      return print(options, status, () =>
        'error' in status
          ? rows([status])
          : describe(status, status.checks === null ? [] : describeProof(status.checks)),
      )
    }
    const { teams } = federation.registry.read()
    const open = await federation.opener(teams)
    const look: (entry: RegistryEntry, team: Team) => Promise<Row> = options.json ? statusOf : rowOf
    const all = await Promise.all(teams.map((entry) => orUnreadable(entry, () => look(entry, open(entry)))))
    print(options, all, () =>
      all.length === 0 ? "no teams yet; 'fed onboard <name>' creates one" : rows(all),
    )
    if (all.some((one) => 'error' in one && !isUnknown(one))) process.exitCode = 1
  })
}

async function statusOf(entry: RegistryEntry, team: Team): Promise<Shown> {
  const [{ describeHold, lastSession }, { workspaceLayout }, { isAlive }, { presentLook }, { waitsFor }] =
    await Promise.all([
      import('../../../agents/sessions/session-record.ts'),
      import('../../../protocol/folder-layout.ts'),
      import('../../../monitor/session-health.ts'),
      import('../../../monitor/team-health.ts'),
      import('../../../agents/sessions/open-questions.ts'),
    ])
  const last = lastSession(workspaceLayout(team.actor.workspace).sessions)
  const session =
    last === undefined
      ? null
      : {
          agent: last.agent,
          at: last.at,
          running: isAlive(last),
          sandboxed: last.sandboxed,
          hold: describeHold(last) ?? null,
          log: last.log,
        }
  const { findings, facts } = presentLook(entry, team)
  const pause = team.reasonOfPause() ?? null
  return {
    ...(await team.status(entry)),
    pause,
    waitsFor: waitsFor(facts.asks),
    session,
    healthy: findings.length === 0,
    started: facts.started,
    findings,
  }
}

async function rowOf(entry: RegistryEntry, team: Team): Promise<Row> {
  const [{ presentLook }, { initialStatus }, { isAlive }, { waitsFor }] = await Promise.all([
    import('../../../monitor/team-health.ts'),
    import('../../../records/registry/move-status.ts'),
    import('../../../monitor/session-health.ts'),
    import('../../../agents/sessions/open-questions.ts'),
  ])
  const { facts, waiting, findings } = presentLook(entry, team)
  if (facts.session instanceof FedError) throw facts.session
  return {
    team: team.id,
    domain: entry.domain,
    archetype: entry.archetypeId,
    state: facts.state,
    status: entry.status ?? initialStatus(),
    mission: facts.mission,
    mailbox: { unacknowledged: waiting.length },
    session: facts.session === undefined ? null : { running: isAlive(facts.session) },
    waitsFor: waitsFor(facts.asks),
    started: facts.started,
    findings,
  }
}

async function orUnreadable(entry: RegistryEntry, look: () => Promise<Row>): Promise<Row | Unreadable> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    return unseen(entry, error)
  }
}

async function unseen(entry: RegistryEntry, error: FedError): Promise<Unreadable> {
  const { domainId: team, domain, archetypeId: archetype, status } = entry
  const { unreadable } = await import('../../../monitor/health.ts')
  return {
    team,
    domain,
    archetype,
    state: null,
    accepts: [],
    status,
    healthy: false,
    started: true,
    findings: [unreadable(entry, error)],
    error: error.message,
  }
}

/** Whether nothing is wrong with the team but that its archetype's code is not trusted. */
function isUnknown({ findings }: Unreadable): boolean {
  return findings.every(({ kind }) => kind === 'unknown')
}

/** Aligned rows, each with what is not healthy below it. */
function rows(all: readonly (Row | Unreadable)[]): string {
  const lines = table(all.map(row)).split('\n')
  return all.flatMap((one, index) => [lines[index] ?? '', ...one.findings.map(sentenceBelow)]).join('\n')
}

function sentenceBelow({ kind, message, fix }: HealthFinding): string {
  return `  ${oneLine(`${kind}: ${message}; ${fix}`)}`
}

/** A team's id, and what people call it where that is something else. */
function nameOf({ team, domain }: Pick<TeamStatus, 'team' | 'domain'>): string {
  return domain === team ? team : `${team} (${oneLine(domain)})`
}

function row(one: Row | Unreadable): string[] {
  if ('error' in one)
    return [nameOf(one), one.archetype, isUnknown(one) ? 'unknown' : 'unreadable', one.status ?? '', '', '']
  const { archetype, state, status, mission, mailbox, session } = one
  const working = session?.running ? ', an agent works' : ''
  const asks = one.waitsFor === null ? '' : `, waits for an answer of ${one.waitsFor.to}`
  const idle = one.started ? '' : ', not started'
  const waiting = `${mailbox.unacknowledged} waiting${working}${idle}${asks}`
  return [nameOf(one), archetype, state, status, waiting, mission?.subject ?? 'no mission']
}

/** @param checks a line for each, of a team whose work is proved by them. */
function describe(status: Shown, checks: readonly string[]): string {
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
