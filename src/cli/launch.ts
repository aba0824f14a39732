import { type Command, Option } from 'commander'
import { beInspected } from '../inspection/is-inspected.ts'
import type { Budget } from '../sessions/budget.ts'
import { parseBudget } from './budget.ts'
import { sandboxChoices, type SandboxChoice } from './choices.ts'
import { declare, type CommonOptions } from './command.ts'
import { parseCount, parseDuration } from './duration.ts'
import { print } from './output.ts'
import { openScope } from './scope.ts'
import { withTelemetry } from './with-telemetry.ts'

interface LaunchOptions extends CommonOptions {
  inspect?: boolean
  team?: string
  teams?: string
  all?: boolean
  reset?: boolean
  detach?: boolean
  prompt?: string
  promptFile?: string
  agent?: string
  model?: string
  maxSessions: number
  timeout?: number
  maxSilence?: number
  budget?: Budget
  sandbox?: SandboxChoice
}

export function registerLaunch(program: Command): void {
  declare(
    program,
    'launch',
    'Drive the agents of teams until their missions end',
    'fed launch --team docs --timeout 1h',
  )
    .addOption(new Option('--team <id>', 'the team to launch').conflicts(['teams', 'all']))
    .addOption(new Option('--teams <ids>', 'several, separated by commas').conflicts('all'))
    .option('--all', 'every team that has a mission to work on')
    .option('--reset', 'begin a new mission first; the old one is put away')
    .option('--detach', 'go on in the background')
    .option('--prompt <text>', 'tell the agent this instead of the usual prompt')
    .option('--prompt-file <file>', "the same from a file, or '-' for the standard input")
    .option('--agent <name|command>', 'the agent that works (default: agentCommand of the configuration)')
    .option('--model <name>', "the language model of the agent (default: FED_MODEL, else the agent's own)")
    .option('--max-sessions <n>', 'start an agent that ends unfinished at most this often', parseCount, 3)
    .option(
      '--budget <amount>',
      'pause when the mission used up more: 2.50usd, 200000tokens or 45min',
      parseBudget,
    )
    .option('--timeout <duration>', 'stop after this time, such as 30m', parseDuration)
    .option('--inspect', 'append what happens to .fed/inspection/wire.jsonl (FED_INSPECT=1)')
    .option(
      '--max-silence <duration>',
      'stop an agent whose words are read after it said nothing for so long (default: 30m)',
      parseDuration,
    )
    .addOption(
      new Option('--sandbox <when>', 'mount the codebase read-only for agents that only read it (bwrap)')
        .choices(sandboxChoices)
        .default('auto'),
    )
    .action(async (options: LaunchOptions) => {
      if (options.inspect) beInspected()
      const { federation } = await openScope(options)
      const { launchTeams, detach, selectTeams } = await import('./launch-teams.ts')
      const teams = await selectTeams(federation, options)
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
        const { describeConclusion } = await import('./conclusion.ts')
        print(options, options.team === undefined ? conclusions : conclusions[0], () =>
          conclusions.map(describeConclusion).join('\n'),
        )
        process.exitCode = Math.max(...conclusions.map(({ exitCode }) => exitCode))
      })
    })
}
