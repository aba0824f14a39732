import { EMBEDDED_AGENT } from '../protocol/config-schema.ts'
import { knownAgentNames } from '../protocol/agent-names.ts'
import type { Known } from '../records/plan/plan-rules.ts'
import type { Catalogue } from './catalogue.ts'
import { onlyReads } from './lead-agent.ts'

/**
 * What a plan may name, where these are the archetypes.
 * @param agents names for agents, as the configuration gives them.
 */
export function knownToPlans(catalogue: Catalogue, agents: Readonly<Record<string, string>> = {}): Known {
  return {
    archetypes: catalogue.ids,
    agents: [EMBEDDED_AGENT, ...knownAgentNames, ...Object.keys(agents)],
    changesCode: (id) => {
      const archetype = catalogue.find(id)
      return archetype !== undefined && !onlyReads(archetype.leadAgent)
    },
  }
}
