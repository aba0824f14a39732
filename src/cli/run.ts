import { type Command, Option } from 'commander'
import { beInspected } from '../inspection/is-inspected.ts'
import type { Budget } from '../sessions/budget.ts'
import { parseBudget } from './budget.ts'
import { sandboxChoices, type SandboxChoice } from './choices.ts'
import { declare, type CommonOptions } from './command.ts'
import { parseCount, parseDuration } from './duration.ts'
import { note, print } from './output.ts'
import { startingFolder } from './scope.ts'
import { withTelemetry } from './with-telemetry.ts'

interface RunOptions extends CommonOptions {
  inspect?: boolean
  team?: string
  archetype?: string
  agent?: string
  model?: string
  maxSessions: number
  timeout?: number
  maxSilence?: number
  budget?: Budget
  sandbox?: SandboxChoice
  reset?: boolean
}

export function registerRun(program: Command): void {
  declare(
    program,
    'run <mission>',
    'Give a team a mission and see it through: the main job in one command',
    'fed run "Explain how the registry is locked" --team registry-docs',
  )
    .option('--team <id>', "the team; it is created when there is none (default: 'docs' for a deliverable)")
    .option('--archetype <id>', 'what kind of team to create (default: deliverable)')
    .option('--agent <name|command>', 'the agent that works (default: agentCommand of the configuration)')
    .option('--model <name>', "the language model of the agent (default: FED_MODEL, else the agent's own)")
    .option('--max-sessions <n>', 'start an agent that ends unfinished at most this often', parseCount, 3)
    .option('--reset', 'give up another mission that the team has under way; it is put away')
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
    .action(async (mission: string, options: RunOptions) => {
      if (options.inspect) beInspected()
      const [{ runMission }, { progressView }, { conclude, describeConclusion, hintAgents }] =
        await Promise.all([
          import('../sessions/run-mission.ts'),
          import('./progress.ts'),
          import('./conclusion.ts'),
        ])
      const { interruption } = await import('./interruption.ts')
      const signal = interruption()
      const { team, begun, setUpIn } = await runMission({
        dir: startingFolder(options),
        mission,
        archetype: options.archetype,
        team: options.team,
        agent: options.agent,
        model: options.model,
        sandbox: options.sandbox,
        reset: options.reset,
      })
      if (setUpIn !== undefined) {
        note(options, `set up a federation in ${setUpIn}: federate.config.json, and .fed/, which git ignores`)
      }
      note(
        options,
        begun === 'begun' ? `${team.id} has its mission: ${mission}` : `${team.id} goes on with its mission`,
      )
      hintAgents(options, team.actor.world.config.agentCommand, options.agent)
      await withTelemetry(team.actor.world, options, async () => {
        const { launch } = await import('../sessions/launch.ts')
        const view = progressView(options, team.id)
        const launched = launch(team, {
          agent: options.agent,
          model: options.model,
          maxSessions: options.maxSessions,
          timeoutMs: options.timeout,
          silenceMs: options.maxSilence,
          budget: options.budget,
          sandbox: options.sandbox,
          signal,
          onProgress: (progress) => view.show(progress),
        })
        const conclusion = conclude(team, await launched.finally(() => view.end()))
        print(options, conclusion, describeConclusion)
        process.exitCode = conclusion.exitCode
      })
    })
}
