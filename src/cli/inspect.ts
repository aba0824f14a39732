import type { Command } from 'commander'
import { NotFoundError, UsageError } from '../errors.ts'
import { declare, type CommonOptions } from './command.ts'
import { parseCount } from './duration.ts'
import { writeOut } from './output.ts'
import { openTeam } from './scope.ts'

interface InspectOptions extends CommonOptions {
  readonly wire?: boolean
  readonly mission?: number
}

export function registerInspect(program: Command): void {
  declare(
    program,
    'inspect [team]',
    "Tell a team's history as the inspector's messages",
    'fed inspect docs --wire --mission 1',
  )
    .option('--wire', 'print the messages as JSON lines')
    .option('--mission <n>', 'of this mission only', parseCount)
    .addHelpText(
      'after',
      '\nFED_INSPECT=1 has every command append what happens to .fed/inspection/wire.jsonl.',
    )
    .action(async (id: string | undefined, options: InspectOptions) => {
      if (!options.wire) throw new UsageError('say how: --wire prints the messages as JSON lines')
      const { team } = await openTeam(options, id)
      const { missionNumber } = team.present()
      if (options.mission !== undefined && options.mission > missionNumber)
        throw new NotFoundError(
          `${team.id} is in mission ${missionNumber}; there is no mission ${options.mission}`,
        )
      const { replay } = await import('../inspection/replay.ts')
      for (const message of replay(team.actor, options.mission)) writeOut(`${JSON.stringify(message)}\n`)
    })
}
