import { program } from '../process/package.ts'
import { splitCommand } from '../protocol/command-words.ts'
import { EMBEDDED_AGENT } from '../protocol/config.ts'
import { requireProgram } from './known-agents.ts'

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
  /** Whether its standard input is what the launcher writes to the gate's fourth stream; otherwise it has none. */
  readonly takesInput?: boolean
  /** Whether the program is a sandbox that holds the agent: it ends with the agent, and kills it when it ends itself. */
  readonly isSandboxed?: boolean
}

/**
 * What to run for an agent that is no preset's: the embedded one, or a command as it is given.
 * @throws {UsageError} when there is no such program.
 */
export function resolveCommand(agent: string, prompt: string): Pick<AgentCommand, 'file' | 'args'> {
  if (agent === EMBEDDED_AGENT) return { file: process.execPath, args: [program('fed-agent')] }
  const [name, ...args] = splitCommand(agent)
  const file = requireProgram(agent, name as string)
  return { file, args: args.map((arg) => (arg === '{prompt}' ? prompt : arg)) }
}
