import type { Command } from 'commander'
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
    .action(async (options: CommonOptions & { team?: string }) => {
      const { federation, actor } = await openScope(options, options.team)
      const { serve } = await import('../../mcp/mcp-server.ts')
      await serve({ federation, address: actor, tray: sessionTray() })
    })
}
