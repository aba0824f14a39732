import { hostCommand } from './host/host-command.ts'
import { UsageError } from '../../errors/fed-error.ts'
import { UntrustedError } from '../../errors/untrusted-error.ts'
import { whyUntrusted } from '../../federation/trust/allowed-parts.ts'
import type { Federation } from '../../federation/federation.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import { findProgram } from '../../platform/process/find-program.ts'

/** What helps where nobody reaches it. */
export const advice =
  'name an agent with chat tools that speaks the Agent Client Protocol (agentCommand), or an MCP server (chatConfig.server)'

/**
 * Why nobody can read and write the channel of `chatConfig`, and what helps; undefined where somebody may be able to,
 * which only trying tells, or where there is no such channel.
 * @param agent another than the configuration's.
 */
export function whyUnreached(
  federation: Pick<Federation, 'root' | 'config'>,
  agent: string = federation.config.agentCommand,
): string | undefined {
  const { root } = federation
  const { chatConfig } = federation.config
  if (chatConfig === undefined) return undefined
  if (chatConfig.server !== undefined) {
    const [program = ''] = chatConfig.server.command
    if (findProgram(program, root) !== undefined)
      return whyUntrusted(root, 'chatConfig.server', federation.config)?.message
    return `there is no program '${program}' (chatConfig.server.command); install it, or correct its path`
  }
  if (agent === EMBEDDED_AGENT) return `${EMBEDDED_AGENT} has no chat tools; ${advice}`
  try {
    hostCommand(federation, agent)
    return undefined
  } catch (error) {
    if (error instanceof UntrustedError) return error.message
    if (!(error instanceof UsageError)) throw error
    return `${error.message}; ${advice}`
  }
}

/** The same as a sentence for people. */
export function sayUnreached(why: string): string {
  return `the channel of chatConfig is not reached: ${why}. What is said stays in the local channel: 'fed chat log'`
}
