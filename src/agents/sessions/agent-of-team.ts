import { EMBEDDED_AGENT, type Config } from '../../protocol/config-schema.ts'
import type { RegistryEntry } from '../../protocol/registry-schema.ts'
import { whyUnsuited } from '../../surveyor/why-unsuited.ts'
import { agentMeant } from '../../protocol/agent-names.ts'
import type { Team } from '../../federation/team.ts'
import { UsageError } from '../../errors/fed-error.ts'
import { findAgent } from '../drivers/choose.ts'
import { installedAgents } from './installed-agents.ts'

/** The agent that works for a team where none is chosen: its own, else the configured one. */
export function agentOf({ id, actor: { world } }: Team): string {
  return world.registry.entry(id).agent ?? world.config.agentCommand
}

/**
 * Checks that an agent that is named for a new team is not one that never could work for it.
 * @throws {UsageError}
 */
export function assertSuited(
  {
    archetype = 'deliverable',
    agent,
  }: { readonly archetype?: string | undefined; readonly agent?: string | undefined },
  { deliverable }: Pick<Config, 'deliverable'>,
): void {
  const why = agent === EMBEDDED_AGENT ? whyUnsuited(archetype, deliverable) : undefined
  if (why !== undefined) throw new UsageError(`--agent: ${EMBEDDED_AGENT} cannot: ${why}`)
}

/**
 * What whoever onboards a team should know of its agent, in words; undefined when it can be launched. Its agent may
 * be installed later, so that this is no reason to refuse it.
 */
export function agentTrouble(
  { domainId: team, archetypeId, agent: own }: RegistryEntry,
  { agentCommand, agents, deliverable }: Config,
): string | undefined {
  const agent = agentMeant(agents, own ?? agentCommand)
  try {
    findAgent(agent)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return error.message
  }
  const why = agent === EMBEDDED_AGENT ? whyUnsuited(archetypeId, deliverable) : undefined
  if (why === undefined) return undefined
  const [first] = installedAgents()
  const another =
    first === undefined
      ? 'names one that can, once it is installed'
      : `has ${first} do it, which is on the PATH`
  return `${EMBEDDED_AGENT} cannot work for ${team}: ${why}; 'fed launch --team ${team} --agent ${first ?? '<agent>'}' ${another}`
}
