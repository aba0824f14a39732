import { EMBEDDED_AGENT } from '../protocol/config-schema.ts'
import { knownAgentNames } from '../protocol/agent-names.ts'
import type { Known } from '../records/plan/plan-rules.ts'
import type { Catalogue } from './catalogue.ts'
import { onlyReads } from './lead-agent.ts'

/** What a plan may name, where these are the archetypes. */
export function knownToPlans(catalogue: Catalogue): Known {
  return {
    archetypes: catalogue.ids,
    agents: [EMBEDDED_AGENT, ...knownAgentNames],
    changesCode: (id) => {
      const archetype = catalogue.find(id)
      return archetype !== undefined && !onlyReads(archetype.leadAgent)
    },
  }
}
