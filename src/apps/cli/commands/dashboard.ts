import type { Command } from 'commander'
import { declare, type CommonOptions } from '../declare-command.ts'
import { note, print } from '../output.ts'
import { openScope } from '../scope.ts'
import { parsePort, untilInterrupted } from '../serving.ts'

interface DashboardOptions extends CommonOptions {
  readonly port?: number
}

export function registerDashboard(program: Command): void {
  declare(
    program,
    'dashboard',
    'Serve a live page of the federation on this machine, until interrupted',
    'fed dashboard --port 8137',
  )
    .option('--port <number>', 'where (default: as the last time, or any free port)', parsePort)
    .addHelpText(
      'after',
      '\nThe address holds a token: who has it may look, pause, send and answer. Nobody else on the network can reach it.',
    )
    .action(async (options: DashboardOptions) => {
      const { federation } = await openScope(options)
      const { serveDashboard } = await import('../../web/dashboard/dashboard-server.ts')
      const { url, close } = await serveDashboard(federation, { port: options.port })
      print(options, { url }, () => url)
      note(options, 'open it in a browser; Ctrl-C ends it')
      await untilInterrupted(close)
    })
}
