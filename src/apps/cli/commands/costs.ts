import { Option, type Command } from 'commander'
import { costGroups, type CostGroup } from '../../../protocol/cost-groups.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import type { Damage } from '../../../agents/usage/all-sessions.ts'
import { note, print, table } from '../output.ts'
import { parseMoment } from '../parse-moment.ts'
import { openScope } from '../scope.ts'

interface CostsOptions extends CommonOptions {
  by: CostGroup
  since?: number
}

export function registerCosts(program: Command): void {
  declare(
    program,
    'costs [team]',
    'Show what agents used up, as far as they tell it; without a team, of all',
    'fed costs --by day --since 7d',
  )
    .addOption(new Option('--by <group>', 'for each of these').choices(costGroups).default('team'))
    .option('--since <moment>', 'from the day (UTC) of this time or age on, such as 7d', parseMoment)
    .addHelpText(
      'after',
      '\nMoney and tokens are what the agents themselves tell; what one does not tell is unknown, and not 0. Teams that' +
        '\nwere offboarded count as well.',
    )
    .action(async (team: string | undefined, options: CostsOptions) => {
      const { federation } = await openScope(options)
      const [{ sessionsOfFederation }, { costCells, costsOf }, { dayOf }] = await Promise.all([
        import('../../../agents/usage/all-sessions.ts'),
        import('../../../agents/usage/costs-by-group.ts'),
        import('../../../agents/usage/session-usage.ts'),
      ])
      const damaged: Damage[] = []
      const all = sessionsOfFederation(federation, (damage) => damaged.push(damage))
      const sessions = team === undefined ? all : all.filter((one) => one.team === team)
      // one that never worked, or that nobody knows
      if (team !== undefined && sessions.length === 0) federation.registry.entry(team)
      for (const { file, isFolder } of damaged)
        note(
          options,
          `${file} cannot be read: ${isFolder ? 'what was used up there is unknown' : 'of that session only what its agent reported counts'}; 'fed doctor' says more`,
        )
      const { by, since } = options
      const costs = costsOf(sessions, by, since === undefined ? '' : dayOf(since))
      print(options, costs, () =>
        costs.rows.length === 0 ? 'no agent has worked yet' : table(costCells(costs)),
      )
    })
}
