import type { Command } from 'commander'
import { rights, targetWords, type Target } from '../../../protocol/rights-table.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { print, table } from '../output.ts'
import { openToRead, refuseMeta } from '../scope.ts'

export function registerRights(program: Command): void {
  declare(
    program,
    'rights [team]',
    'Show what a person and what an agent, in its session, may do',
    'fed rights docs',
  )
    .addHelpText(
      'after',
      '\nA person may do all of it. Without walls around a session this is best effort: whoever unsets FED_TRAY is a person there.',
    )
    .action(async (named: string | undefined, options: CommonOptions) => {
      if (named !== undefined) {
        refuseMeta(named)
        const { federation } = await openToRead(options)
        federation.registry.entry(federation.addressOf(named))
      }
      const all = Object.entries(rights).map(([command, { agent, because }]) => ({ command, agent, because }))
      const whose = named === undefined ? 'an agent' : `the agent of ${named}`
      print(options, all, () =>
        table([
          ['', `${whose} may, for`, 'because'],
          ...all.map(({ command, agent, because }) => [command, inWords(agent), because]),
        ]),
      )
    })
}

function inWords(agent: readonly Target[]): string {
  return agent.length === 0 ? 'nobody' : agent.map((target) => targetWords[target]).join(', ')
}
