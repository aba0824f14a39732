import { UsageError } from '../errors.ts'
import { program } from '../package.ts'
import { EMBEDDED_AGENT } from '../protocol/config.ts'
import type { AgentProfile, ProfileSetting } from './agent-profile.ts'
import { findProgram, installedAgents, knownAgents, modelOption } from './known-agents.ts'

/** Exit code by which an agent says that it cannot do this mission at all. */
export const AGENT_REFUSES = 5

/** A process to start: never a shell line. */
export interface AgentCommand {
  /** Absolute path of the program. */
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  /** What the agent gets beside the launcher's environment. */
  readonly env: Readonly<Record<string, string>>
}

/**
 * Splits a command at blanks; quotes keep blanks together, and nothing else has a meaning.
 * @throws {UsageError} when it is empty or a quote has no end.
 */
export function splitCommand(command: string): string[] {
  if (/["']/.test(withoutQuoted(command))) throw new UsageError(`a quote has no end in: ${command}`)
  const words = [...command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => double ?? single ?? ''),
  )
  if (words.length === 0) throw new UsageError('the agent command is empty')
  return words
}

/** A command without what stands in quotes. */
export function withoutQuoted(command: string): string {
  return command.replace(/"[^"]*"|'[^']*'/g, '')
}

/** How a profile reaches an agent beside the prompt. */
interface Told {
  /** Arguments behind the agent's own. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** What its command line cannot take; the agent finds it in `FED_AGENT_PROFILE` all the same. */
  readonly untold: readonly ProfileSetting[]
}

/** What of a profile an agent can be told when it is started. */
export function tellProfile(agent: string, { model, temperature }: AgentProfile): Told {
  const known = knownAgents.find(({ name }) => name === agent)
  const variable = known?.temperatureVariable
  return {
    args: known === undefined || model === null ? [] : [modelOption, model],
    env: variable === undefined ? {} : { [variable]: String(temperature) },
    untold: [
      ...(known === undefined && model !== null ? (['model'] as const) : []),
      ...(variable === undefined ? (['temperature'] as const) : []),
      'tools',
    ],
  }
}

/**
 * What to run for an agent: the embedded one, a known one by name, or a command as it is given.
 * @throws {UsageError} when there is no such program.
 */
export function resolveAgent(agent: string, prompt: string): Pick<AgentCommand, 'file' | 'args'> {
  if (agent === EMBEDDED_AGENT) return { file: process.execPath, args: [program('fed-agent')] }
  const known = knownAgents.find(({ name }) => name === agent)
  const [name, ...args] = known === undefined ? splitCommand(agent) : [known.program, ...known.args]
  const file = findProgram(name as string)
  if (file === undefined) {
    const installed = [EMBEDDED_AGENT, ...installedAgents()].join(', ')
    throw new UsageError(`agent '${agent}': there is no program '${name}' on the PATH; here are ${installed}`)
  }
  return { file, args: args.map((arg) => (arg === '{prompt}' ? prompt : arg)) }
}
