import type { Command } from 'commander'
import { NotFoundError, UsageError } from '../../../errors/fed-error.ts'
import { parsePort, untilInterrupted } from '../serving.ts'
import { declare, type CommonOptions } from '../declare-command.ts'
import { parseCount } from '../parse-duration.ts'
import { note, print, writeOut } from '../output.ts'
import { openTeamToRead, openToRead, refuseMeta } from '../scope.ts'

interface InspectOptions extends CommonOptions {
  readonly wire?: boolean
  readonly mission?: number
  readonly replay?: boolean
  readonly stately?: boolean
  readonly port?: number
}

export function registerInspect(program: Command): void {
  declare(
    program,
    'inspect [team]',
    'Watch machines message by message, on this machine or in the Stately inspector; or print the messages',
    'fed inspect docs --replay',
  )
    .option('--replay', 'show the history, and not only what the wire was told')
    .option('--stately', 'print the address of the page that feeds the Stately inspector')
    .option('--port <number>', 'where to serve the viewer (default: any free port)', parsePort)
    .option('--wire', "print a team's history as JSON lines, and serve nothing")
    .option('--mission <n>', 'with --wire: of this mission only', parseCount)
    .addHelpText(
      'after',
      '\nFED_INSPECT=1 has every command append what happens to .fed/inspection/wire.jsonl.',
    )
    .action(async (id: string | undefined, options: InspectOptions) => {
      if (!options.wire) return serve(id, options)
      const { team } = await openTeamToRead(options, id)
      const { missionNumber } = team.present()
      if (options.mission !== undefined && options.mission > missionNumber)
        throw new NotFoundError(
          `${team.id} is in mission ${missionNumber}; there is no mission ${options.mission}`,
        )
      const { replay } = await import('../../../engine/inspection/replay.ts')
      for (const message of replay(team.actor, options.mission)) writeOut(`${JSON.stringify(message)}\n`)
    })
}

async function serve(id: string | undefined, options: InspectOptions): Promise<void> {
  if (options.mission !== undefined)
    throw new UsageError('--mission: the viewer shows all; it goes with --wire')
  if (id !== undefined) refuseMeta(id)
  const { federation } = await openToRead(options)
  const { serveInspector } = await import('../../web/inspector/inspector-server.ts')
  const { replay, port } = options
  const inspector = await serveInspector(federation, { team: id, replay, port })
  const url = options.stately ? inspector.statelyUrl : inspector.url
  print(options, { url }, () => url)
  note(options, 'open it in a browser; Ctrl-C ends it')
  await untilInterrupted(() => inspector.close())
}
