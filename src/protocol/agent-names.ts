/** The headless coding agents that fed knows how to call; `agents/drivers/presets.ts` says how. */
export const knownAgentNames = [
  'claude',
  'copilot',
  'codex',
  'gemini',
  'opencode',
  'cursor',
  'goose',
] as const
export type KnownAgentName = (typeof knownAgentNames)[number]

/** The agent that is meant: what a name of the configuration's `agents` stands for, else what was given. */
export function agentMeant(agents: Readonly<Record<string, string>>, agent: string): string {
  return Object.hasOwn(agents, agent) ? (agents[agent] ?? agent) : agent
}
