import { acpDriver } from './acp.ts'
import type { AgentDriver } from './driver.ts'
import { execJsonDriver } from './exec-json.ts'
import { presetOf } from './presets.ts'
import { rawDriver } from './raw.ts'

/** What an agent's name or command begins with when it is to be talked to by the Agent Client Protocol. */
const acpPrefix = 'acp:'

/**
 * The driver of an agent: `acp:<name|command>` is talked to by the Agent Client Protocol, a known name is run
 * headless by its preset, anything else is run as it is given.
 * @throws {UsageError} when a known agent does not speak that protocol.
 */
export function driverOf(agent: string): AgentDriver {
  if (agent.startsWith(acpPrefix)) return acpDriver(agent.slice(acpPrefix.length).trim())
  const preset = presetOf(agent)
  return preset === undefined ? rawDriver(agent) : execJsonDriver(preset)
}

/**
 * Finds what an agent's name or command would start.
 * @throws {UsageError} when there is no such program.
 */
export function findAgent(agent: string): string {
  return driverOf(agent).find()
}
