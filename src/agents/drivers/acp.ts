import { onlyReads } from '../../federation/lead-agent.ts'
import { UsageError } from '../../errors/fed-error.ts'
import { resolveCommand } from '../sessions/agent-command.ts'
import { AcpDialogue } from './acp-dialogue.ts'
import { requireProgram } from '../sessions/installed-agents.ts'
import type { AgentDriver, Assignment, Start } from './driver.ts'
import { presetOf, type Preset } from './presets.ts'
import { filled, filledRecord, valuesFor } from './template.ts'

/**
 * An agent that is talked to by the Agent Client Protocol over its standard streams.
 * @param agent the name of a known agent that speaks it, or a command.
 * @throws {UsageError} when a known agent does not.
 */
export function acpDriver(agent: string): AgentDriver {
  const preset = presetOf(agent)
  if (preset !== undefined && preset.acp === undefined) {
    throw new UsageError(
      `agent 'acp:${agent}': ${agent} does not speak the Agent Client Protocol itself; give the command of an adapter, such as acp:${agent}-acp`,
    )
  }
  return {
    kind: 'acp',
    // the protocol has a way to tell both, at the end of a turn: by then it is used up
    tells: [],
    find: () =>
      preset === undefined ? resolveCommand(agent, '').file : requireProgram(`acp:${agent}`, preset.program),
    givesTools: () => true,
    untold: ({ profile: { model, ...lead }, isHeld }) => [
      ...(model === null ? [] : (['model'] as const)),
      'temperature',
      ...(isHeld && onlyReads(lead) ? (['tools'] as const) : []),
    ],
    start: (assignment) => ({
      ...(preset === undefined ? resolveCommand(agent, '') : presetStart(preset, assignment)),
      takesInput: true,
    }),
    talk: (ends) => new AcpDialogue(ends, preset?.acp?.readerMode),
  }
}

function presetStart(preset: Preset, assignment: Assignment): Start {
  const values = valuesFor(preset, assignment, '')
  const role = onlyReads(assignment.profile) && !assignment.isHeld ? preset.acp?.reader : undefined
  return {
    file: requireProgram(`acp:${preset.name}`, preset.program),
    args: [...(preset.acp?.args ?? []), ...(role?.args ?? [])].map((word) => filled(word, values)),
    env: filledRecord({ ...preset.acp?.env, ...role?.env }, values),
  }
}
