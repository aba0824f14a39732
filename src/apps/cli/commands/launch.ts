import type { LaunchSettings, Selection } from '../launch-teams.ts'
import { type Command, Option } from 'commander'
import { beInspected } from '../../../engine/inspection/is-inspected.ts'
import { declare } from '../declare-command.ts'
import { UsageError } from '../../../errors/fed-error.ts'
import { parseCount } from '../parse-duration.ts'
import { isOut, print } from '../output.ts'
import { openScope } from '../scope.ts'
import { withSessionOptions } from '../session-options.ts'
import { withTelemetry } from '../with-telemetry.ts'

interface LaunchOptions extends Selection, LaunchSettings {
  detach?: boolean
  watch?: boolean
}

export function registerLaunch(program: Command): void {
  const command = declare(
    program,
    'launch [teams...]',
    'Drive the agents of teams until their missions end',
    'fed launch --team docs --timeout 1h',
  )
    .addOption(new Option('--team <id>', 'the team to launch, as an option').conflicts(['teams', 'all']))
    .addOption(new Option('--teams <ids>', 'several, separated by commas').conflicts('all'))
    .option('--all', 'every team that has a mission to work on')
    .option('--reset', 'begin a new mission first; the old one is put away')
    .option('--watch', 'with --all: stay, and start an agent whenever something gives a team work')
    .option(
      '--parallel <n>',
      'with --all: run at most so many agents at once (default: what the machine bears)',
      parseCount,
    )
    .option('--detach', 'go on in the background')
    .option('--prompt <text>', 'tell the agent this instead of the usual prompt')
    .option('--prompt-file <file>', "the same from a file, or '-' for the standard input")
  withSessionOptions(command).action(async (named: string[], options: LaunchOptions) => {
    if (options.inspect) beInspected()
    const isOne = options.team !== undefined || named.length === 1
    const { federation } = await openScope(options)
    if (options.all !== true && (options.watch || options.parallel !== undefined))
      throw new UsageError('--watch and --parallel are for --all')
    if (options.watch && !options.detach) {
      const { watchTeams } = await import('../watch-teams.ts')
      await withTelemetry(federation, options, async () => {
        const conclusions = await watchTeams(federation, options)
        const { describeConclusion } = await import('../conclusion.ts')
        print(options, conclusions, () => conclusions.map(describeConclusion).join('\n'))
        await isOut()
      })
      return
    }
    const { launchTeams, detach, selectTeams } = await import('../launch-teams.ts')
    const teams = await selectTeams(federation, named, options)
    if (teams.length === 0) {
      print(options, [], () => 'no team has a mission to work on')
      return
    }
    if (options.detach) {
      print(
        options,
        await detach(federation, teams, options),
        ({ pid, log }) => `launching in the background as process ${pid}; progress in ${log}`,
      )
      return
    }
    await withTelemetry(federation, options, async () => {
      const conclusions = await launchTeams(teams, options)
      const [{ describeConclusion }, { endIsTold }] = await Promise.all([
        import('../conclusion.ts'),
        import('../../../agents/sessions/awaited-end.ts'),
      ])
      print(options, isOne ? conclusions[0] : conclusions, () =>
        conclusions.map(describeConclusion).join('\n'),
      )
      await isOut()
      for (const team of teams) endIsTold(team)
      process.exitCode = Math.max(...conclusions.map(({ exitCode }) => exitCode))
    })
  })
}
