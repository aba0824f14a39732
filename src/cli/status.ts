import type { Command } from 'commander'
import { FedError } from '../errors.ts'
import type { Federation } from '../federation.ts'
import type { RegistryEntry } from '../protocol/registry.ts'
import type { TeamStatus } from '../teams/team.ts'
import { declare, type CommonOptions } from './command.ts'
import { print, table } from './output.ts'
import { oneLine } from './plain-text.ts'
import { openScope, refuseMeta } from './scope.ts'

/** The team's last agent session. */
interface SessionSummary {
  readonly agent: string
  readonly at: string
  readonly running: boolean
  readonly log: string
}

type Shown = TeamStatus & { readonly session: SessionSummary | null }

/** A team whose files are damaged: it does not hide the others. */
interface Unreadable {
  readonly team: string
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
    const { federation } = await openScope(options)
    if (id !== undefined) {
      refuseMeta(id)
      return print(options, await statusOf(federation, id), describe)
    }
    const { teams } = federation.registry.read()
    const all = await Promise.all(teams.map((entry) => statusOrError(federation, entry)))
    print(options, all, () =>
      all.length === 0 ? "no teams yet; 'fed onboard <domain> --archetype deliverable'" : table(all.map(row)),
    )
    if (all.some((one) => 'error' in one)) process.exitCode = 1
  })
}

async function statusOf(federation: Federation, id: string): Promise<Shown> {
  const team = await federation.openTeam(id)
  const [{ listSessions }, { workspaceLayout }, { isRunning }] = await Promise.all([
    import('../sessions/session-record.ts'),
    import('../protocol/layout.ts'),
    import('../process-identity.ts'),
  ])
  const last = listSessions(workspaceLayout(team.actor.workspace).sessions).at(-1)
  const session =
    last === undefined
      ? null
      : {
          agent: last.agent,
          at: last.at,
          running: last.end === undefined && isRunning(last.process),
          log: last.log,
        }
  return { ...(await team.status()), session }
}

async function statusOrError(federation: Federation, entry: RegistryEntry): Promise<Shown | Unreadable> {
  const { domainId: team, archetypeId: archetype, status } = entry
  try {
    return await statusOf(federation, team)
  } catch (error) {
    if (!(error instanceof FedError)) throw error
    return { team, archetype, state: null, accepts: [], status, error: error.message }
  }
}

function row(one: Shown | Unreadable): string[] {
  if ('error' in one) return [one.team, one.archetype, 'unreadable', one.status ?? '', one.error, '']
  const { team, archetype, state, status, mission, mailbox, session } = one
  const working = session?.running ? ', an agent works' : ''
  const waiting = `${mailbox.unacknowledged} waiting${working}`
  return [team, archetype, state, status, waiting, mission?.subject ?? 'no mission']
}

function describe(status: Shown): string {
  const { mailbox, mission, failure, session } = status
  const accepts = status.accepts.map(
    ({ event, missing }) =>
      `  ${event}${missing.length === 0 ? '' : `  needs that ${missing.join(', and that ')}`}`,
  )
  return [
    `${status.team}  ${status.archetype}  ${status.state} since ${status.since}, ${status.status} in the registry`,
    `mission: ${oneLine(mission?.subject ?? 'none')}`,
    ...(failure === null ? [] : [`failed: ${oneLine(failure.reason)}`]),
    `mailbox: ${mailbox.unacknowledged} waiting${mailbox.quarantined === 0 ? '' : `, ${mailbox.quarantined} in quarantine`}`,
    `session: ${session === null ? 'none yet' : `${oneLine(session.agent)}, ${session.running ? `running since ${session.at}` : `begun ${session.at}, over`}; output in ${session.log}`}`,
    `workspace: ${status.workspace}`,
    ...(accepts.length === 0 ? [] : ['accepts:', ...accepts]),
  ].join('\n')
}
