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
