/** Tools that an agent may have. */
export const agentToolNames = ['view', 'grep', 'glob', 'edit', 'bash'] as const

export interface AgentTool {
  readonly name: (typeof agentToolNames)[number]
  /** Whether the tool only reads the codebase. In the team's workspace, and by `fed`, it may still write. */
  readonly readOnly: boolean
}

/** The agent that an archetype asks for (spec §2.7). Its model is chosen at launch. */
export interface LeadAgent {
  readonly role: string
  readonly temperature: number
  readonly tools: readonly AgentTool[]
  readonly responsibilities: readonly string[]
}

/** Whether an agent has only tools that read the codebase. */
export function onlyReads({ tools }: Pick<LeadAgent, 'tools'>): boolean {
  return tools.every(({ readOnly }) => readOnly)
}
