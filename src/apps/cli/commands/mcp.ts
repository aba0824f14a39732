import { Option, type Command } from 'commander'
import { RefusedError } from '../../../errors/fed-error.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { openScope } from '../scope.ts'
import { sessionTray } from '../session-tray.ts'

export function registerMcp(program: Command): void {
  declare(
    program,
    'mcp',
    'Serve the mailbox and the lifecycle of a team to its agent, by the Model Context Protocol over stdio',
    'fed mcp --team docs',
  )
    .option('--team <id>', 'who calls the tools (default: the acting team, else meta)')
    .addOption(
      new Option('--as <who>', 'the tools with which your own agent coordinates all teams')
        .choices(['meta'])
        .conflicts('team'),
    )
    .action(async (options: CommonOptions & { team?: string; as?: string }) => {
      const tray = sessionTray()
      if (options.as !== undefined && tray !== undefined)
        throw new RefusedError("--as meta is for a person's own agent, not for that of a team")
      const { federation, actor } = await openScope(options, options.as ?? options.team)
      const { serve } = await import('../../mcp/mcp-server.ts')
      await serve({ federation, address: actor, tray, coordinates: options.as !== undefined })
    })
}
