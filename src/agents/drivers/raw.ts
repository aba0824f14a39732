import { resolveCommand } from '../sessions/agent-command.ts'
import type { AgentDriver } from './driver.ts'

/**
 * Any command: it gets its prompt in place of `{prompt}`, in `FED_PROMPT` and in the file `FED_PROMPT_FILE`, works
 * through `fed` on its PATH, and its end is the session's.
 */
export function rawDriver(agent: string): AgentDriver {
  return {
    kind: 'raw',
    tells: [],
    find: () => resolveCommand(agent, '').file,
    givesTools: () => false,
    untold: ({ profile: { model } }) => [
      ...(model === null ? [] : (['model'] as const)),
      'temperature',
      'tools',
    ],
    start: ({ prompt }) => resolveCommand(agent, prompt),
  }
}
