import { UsageError } from '../../errors/fed-error.ts'
import { printable } from '../../errors/printable.ts'
import type { LeadAgent } from '../../federation/lead-agent.ts'

/** What an agent is asked to be: its archetype's lead agent with the model that was chosen (spec §2.7). */
export interface AgentProfile extends LeadAgent {
  /** Name of a language model as the agent knows it; null for the agent's own. */
  readonly model: string | null
}

/** What of a profile a command line can be told. */
export const profileSettings = ['model', 'temperature', 'tools'] as const
export type ProfileSetting = (typeof profileSettings)[number]

/**
 * The profile of an archetype's agent.
 * @param chosen a model's name; without it `FED_MODEL`, and without that the agent's own.
 * @throws {UsageError} when that cannot be a model's name.
 */
export function profileOf(lead: LeadAgent, chosen?: string): AgentProfile {
  return {
    ...lead,
    model: modelOf('--model', chosen) ?? modelOf('FED_MODEL', process.env.FED_MODEL || undefined) ?? null,
  }
}

/** A name that cannot be taken for an option of the agent. */
function modelOf(source: string, name: string | undefined): string | undefined {
  if (name === undefined || /^[\p{L}\p{N}@][\p{L}\p{N}@._:/+[\]-]{0,199}$/u.test(name)) return name
  throw new UsageError(
    `${source}: '${printable(name)}' cannot be the name of a model; give one such as vendor/name-4.5`,
  )
}
