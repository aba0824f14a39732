import { UsageError } from '../../errors/fed-error.ts'
import { printable } from '../../errors/printable.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import { findProgram } from '../../platform/process/find-program.ts'
import { knownAgents } from '../drivers/presets.ts'

/** Names of the known agents that are installed. */
export function installedAgents(): string[] {
  return knownAgents.filter(({ program }) => findProgram(program) !== undefined).map(({ name }) => name)
}

/**
 * Absolute path of an agent's program.
 * @throws {UsageError} when there is no such program, with the names of those that are there.
 */
export function requireProgram(agent: string, name: string): string {
  const file = findProgram(name)
  if (file !== undefined) return file
  const installed = [EMBEDDED_AGENT, ...installedAgents()].join(', ')
  throw new UsageError(
    `agent '${printable(agent)}': there is no program '${printable(name)}' on the PATH; here are ${installed}`,
  )
}
