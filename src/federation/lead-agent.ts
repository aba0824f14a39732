/** Tools that an agent may have. */
export const agentToolNames = ['view', 'grep', 'glob', 'edit', 'bash'] as const

export interface AgentTool {
  readonly name: (typeof agentToolNames)[number]
  /** Whether it may change nothing of the codebase; the team's own workspace and `fed` are another matter. */
  readonly readOnly: boolean
}

/** Whom an archetype wants for its work (spec §2.7); which model that is, the launch says. */
export interface LeadAgent {
  readonly role: string
  readonly temperature: number
  readonly tools: readonly AgentTool[]
  readonly responsibilities: readonly string[]
}

/** Whether its agent leaves the codebase as it is. */
export function onlyReads({ tools }: Pick<LeadAgent, 'tools'>): boolean {
  return tools.every(({ readOnly }) => readOnly)
}
