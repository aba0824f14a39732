import type { Command } from 'commander'
import type { TeamStatus } from '../teams/team.ts'
import { declare, type CommonOptions } from './command.ts'
import { print, table } from './output.ts'
import { openScope } from './scope.ts'

export function registerStatus(program: Command): void {
  declare(
    program,
    'status [team]',
    'Show where a team stands and what it accepts now; without one, all teams',
    'fed status docs --json',
  ).action(async (id: string | undefined, options: CommonOptions) => {
    const { federation } = await openScope(options)
    if (id !== undefined) {
      const team = await federation.team(id)
      return print(options, await team.status(), describe)
    }
    const { teams } = federation.registry.read()
    const all = await Promise.all(
      teams.map(async ({ domainId }) => (await federation.team(domainId)).status()),
    )
    print(options, all, () =>
      all.length === 0 ? "no teams yet; 'fed onboard <domain> --archetype deliverable'" : table(all.map(row)),
    )
  })
}

function row({ team, archetype, state, status, mission, mailbox }: TeamStatus): string[] {
  return [
    team,
    archetype,
    state,
    status,
    `${mailbox.unacknowledged} waiting`,
    mission?.subject ?? 'no mission',
  ]
}

function describe(status: TeamStatus): string {
  const { mailbox, mission, failure } = status
  const accepts = status.accepts.map(
    ({ event, missing }) =>
      `  ${event}${missing.length === 0 ? '' : `  needs that ${missing.join(', and that ')}`}`,
  )
  return [
    `${status.team}  ${status.archetype}  ${status.state}  (${status.status}, since ${status.since})`,
    `mission: ${mission?.subject ?? 'none'}`,
    ...(failure === null ? [] : [`failed: ${failure.reason}`]),
    `mailbox: ${mailbox.unacknowledged} waiting${mailbox.quarantined === 0 ? '' : `, ${mailbox.quarantined} in quarantine`}`,
    `workspace: ${status.workspace}`,
    ...(accepts.length === 0 ? [] : ['accepts:', ...accepts]),
  ].join('\n')
}
