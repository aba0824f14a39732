import { UsageError } from '../../errors/fed-error.ts'
import { printable } from '../../errors/printable.ts'
import type { LeadAgent } from '../../federation/lead-agent.ts'

/** The lead agent of a team's archetype with the language model that was chosen for it (spec §2.7). */
export interface AgentProfile extends LeadAgent {
  /** Name of a language model as the agent knows it; null for the agent's own. */
  readonly model: string | null
}

/** Settings of a profile that a driver may pass to its agent; those that it cannot pass are `untold`. */
export const profileSettings = ['model', 'temperature', 'tools'] as const
export type ProfileSetting = (typeof profileSettings)[number]

/**
 * The profile of an archetype's agent.
 * @param chosen a model's name; without it the value of `FED_MODEL`, else the agent uses its own model.
 * @throws {UsageError} when the chosen name or `FED_MODEL` cannot be a model's name.
 */
export function profileOf(lead: LeadAgent, chosen?: string): AgentProfile {
  return {
    ...lead,
    model: modelOf('--model', chosen) ?? modelOf('FED_MODEL', process.env.FED_MODEL || undefined) ?? null,
  }
}

/** A model's name as given; throws for one that could be mistaken for an option of the agent. */
function modelOf(source: string, name: string | undefined): string | undefined {
  if (name === undefined || /^[\p{L}\p{N}@][\p{L}\p{N}@._:/+[\]-]{0,199}$/u.test(name)) return name
  throw new UsageError(
    `${source}: '${printable(name)}' cannot be the name of a model; give one such as vendor/name-4.5`,
  )
}
