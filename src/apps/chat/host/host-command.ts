import { UsageError } from '../../../errors/fed-error.ts'
import type { Federation } from '../../../federation/federation.ts'
import { assertTrusted } from '../../../federation/trust/allowed-parts.ts'
import { program } from '../../../platform/process/package.ts'
import { EMBEDDED_AGENT } from '../../../protocol/config-schema.ts'
import { META } from '../../../protocol/team-id.ts'
import { resolveCommand } from '../../../agents/sessions/agent-command.ts'
import type { Command } from '../../../platform/process/command.ts'
import { pathOfAgents } from '../../../agents/sessions/agent-environment.ts'
import { requireProgram } from '../../../agents/sessions/installed-agents.ts'
import { presetOf } from '../../../agents/drivers/presets.ts'

/**
 * How an agent is started as the meta coordinator's, to be talked to by the Agent Client Protocol: the embedded one,
 * a known one that speaks it, or a command as it is given.
 * @throws {UntrustedError} for the command of a configuration that nobody allowed; {UsageError} when there is no such program, or a known agent does not speak the protocol.
 */
export function hostCommand({ root, config }: Pick<Federation, 'root' | 'config'>, agent: string): Command {
  if (agent === config.agentCommand) assertTrusted(root, 'agentCommand', '.fed')
  return {
    ...startOf(agent.replace(/^acp:/, '').trim()),
    cwd: root,
    env: {
      FED_ROOT: root,
      FED_TEAM: META,
      FED_WORKSPACE: root,
      PATH: pathOfAgents(root),
    },
  }
}

function startOf(agent: string): Pick<Command, 'file' | 'args'> {
  if (agent === EMBEDDED_AGENT) return { file: process.execPath, args: [program('fed-agent'), 'acp'] }
  const preset = presetOf(agent)
  if (preset === undefined) return resolveCommand(agent, '')
  if (preset.acp === undefined) {
    throw new UsageError(
      `agent '${agent}' does not speak the Agent Client Protocol itself; give the command of an adapter, such as --agent ${agent}-acp`,
    )
  }
  return { file: requireProgram(agent, preset.program), args: preset.acp.args }
}
