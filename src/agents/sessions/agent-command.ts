import path from 'node:path'
import type { Command } from '../../platform/process/command.ts'
import { findProgram } from '../../platform/process/find-program.ts'
import { program } from '../../platform/process/package.ts'
import { splitCommand } from '../../protocol/command-words.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import { requireProgram } from './installed-agents.ts'

/** Exit code by which an agent says that it cannot do this mission at all. */
export const AGENT_REFUSES = 5

/**
 * What to run for an agent that is no preset's: the embedded one, or a command as it is given.
 * @throws {UsageError} when there is no such program.
 */
export function resolveCommand(agent: string, prompt: string): Pick<Command, 'file' | 'args'> {
  if (agent === EMBEDDED_AGENT) return { file: process.execPath, args: [program('fed-agent')] }
  const [name, ...args] = isWholePath(agent) ? [agent] : splitCommand(agent)
  const file = requireProgram(agent, name as string)
  return { file, args: args.map((arg) => (arg === '{prompt}' ? prompt : arg)) }
}

/** Whether it is the full path of a program, blanks and all, and no command of several words. */
function isWholePath(agent: string): boolean {
  return path.isAbsolute(agent) && findProgram(agent) !== undefined
}
