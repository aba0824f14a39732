import { InvalidArgumentError, Option, type Command } from 'commander'
import { readBudget, type Budget } from '../../protocol/budget.ts'
import type { LaunchChoice } from '../../agents/sessions/launch-plan.ts'
import { confinementModes, type ConfinementMode } from './choices.ts'
import type { CommonOptions } from './declare-command.ts'
import { parseCount, parseDuration } from './parse-duration.ts'

/** What every command takes that starts agents. */
export interface SessionOptions extends CommonOptions {
  agent?: string
  model?: string
  maxSessions: number
  budget?: Budget
  timeout?: number
  maxSilence?: number
  idle?: number
  patience?: number
  confinement?: ConfinementMode
  inspect?: boolean
}

/**
 * Declares them, behind those of the command's own.
 * @param whose what the budget bounds.
 */
export function withSessionOptions(command: Command, whose: 'mission' | 'goal' = 'mission'): Command {
  return command
    .option('--agent <name|command>', 'the agent that works (default: agentCommand of the configuration)')
    .option('--model <name>', "the language model of the agent (default: FED_MODEL, else the agent's own)")
    .option('--max-sessions <n>', 'start an agent that ends unfinished at most this often', parseCount, 3)
    .option(
      '--budget <amount>',
      `pause when ${whose === 'mission' ? 'the mission' : 'all teams of the goal together'} used up more: 2.50usd, 200000tokens or 45min`,
      parseBudget,
    )
    .option('--timeout <duration>', 'stop after this time, such as 30m', parseDuration)
    .option(
      '--max-silence <duration>',
      'stop an agent whose words are read after it said nothing for so long (default: 30m)',
      parseDuration,
    )
    .option(
      '--patience <duration>',
      "try again for so long where the agent's provider fails, then pause (default: 1h)",
      parseDuration,
    )
    .option(
      '--idle <duration>',
      'wait so long for questions, mail and directives where the team has nothing to do (default: not at all)',
      parseDuration,
    )
    .addOption(
      new Option(
        '--confinement <when>',
        'hold agents within walls: auto, where these work, on or off (default: `confinement.mode`)',
      ).choices(confinementModes),
    )
    .option('--inspect', 'append what happens to .fed/inspection/wire.jsonl (FED_INSPECT=1)')
}

/** What a launch is told of them. */
export function launchChoice(options: SessionOptions): LaunchChoice {
  const { agent, model, confinement, budget, maxSessions, timeout, maxSilence, idle, patience } = options
  const limits = {
    maxSessions,
    timeoutMs: timeout,
    silenceMs: maxSilence,
    idleMs: idle,
    patienceMs: patience,
  }
  return { agent, model, confinement, budget, limits }
}

/** Reads `2.50usd`, `200000tokens` or `45min`. */
function parseBudget(text: string): Budget {
  const budget = readBudget(text)
  if (budget === undefined || budget.perDay)
    throw new InvalidArgumentError(
      'give money, tokens or minutes, such as 2.50usd, 200000tokens or 45min; at most 999999999, and of money no less than a millionth.',
    )
  return budget
}
