import { succeedsUnless } from '../../errors/unless.ts'
import { AgentHost } from './host/agent-host.ts'
import { hostCommand } from './host/host-command.ts'
import { EMBEDDED_AGENT } from '../../protocol/config-schema.ts'
import { UsageError } from '../../errors/fed-error.ts'
import { UntrustedError } from '../../errors/untrusted-error.ts'
import { assertTrusted } from '../../federation/trust/allowed-parts.ts'
import type { Federation } from '../../federation/federation.ts'
import { AgentConversation } from './agent-conversation.ts'
import type { Conversation } from './answering.ts'
import type { Channel } from './channel.ts'
import { statusText } from './team-answers.ts'
import { HostTools } from './host/host-tools.ts'
import { LocalChannel } from './local-channel.ts'
import type { ChatSettings } from './chat-settings.ts'
import { ProductChannel } from './product-channel.ts'
import { ServerTools } from './server/server-tools.ts'
import type { Lease } from './channel-lease.ts'

/** Longest that an agent may be silent, in milliseconds. */
export const patienceMs = 120_000

/** Longest that a server may take for a call, in milliseconds: it thinks nothing over. */
const serverMs = 20_000

interface AgentSettings {
  readonly patienceMs: number
  /** Gets what the agent says outside of the protocol, and what it was allowed. */
  readonly log: (line: string) => void
}

/**
 * The adapter of a federation's channel, and the agent behind it where that is needed.
 * @throws {UntrustedError} for a server that nobody allowed.
 */
export function openChannel(
  federation: Federation,
  settings: ChatSettings,
  agent: AgentSettings,
): { readonly channel: Channel; readonly host: AgentHost } {
  const { root, config } = federation
  const command = () => hostCommand(federation, settings.agent)
  const host = new AgentHost(command, agent.patienceMs, agent.log)
  if (settings.kind === 'local' || config.chatConfig === undefined)
    return { channel: new LocalChannel(root, settings.name), host }
  const { chatConfig } = config
  if (settings.kind === 'server') assertTrusted(root, 'chatConfig.server', '.fed')
  const tools =
    settings.kind === 'server' && chatConfig.server !== undefined
      ? new ServerTools(chatConfig, chatConfig.server, {
          cwd: root,
          patienceMs: Math.min(agent.patienceMs, serverMs),
          log: agent.log,
        })
      : new HostTools(chatConfig, host)
  return { channel: new ProductChannel(settings.key, `the channel ${chatConfig.channelId}`, tools), host }
}

/** Whom to ask what code does not understand; nobody where the agent has no language model. */
export function openConversation(
  federation: Federation,
  { agent, name }: ChatSettings,
  host: AgentHost,
  lease: Lease,
): Conversation | undefined {
  if (agent === EMBEDDED_AGENT || !speaks(federation, agent)) return undefined
  return new AgentConversation({
    federation,
    name,
    host,
    standing: () => statusText({ federation, name }),
    earlier: lease.read().session,
    onSession: (session) =>
      lease.update((ledger) => (ledger.session === session ? ledger : { ...ledger, session })),
  })
}

/** Whether an agent can be talked to at all, and may be. */
function speaks(federation: Federation, agent: string): boolean {
  return succeedsUnless([UsageError, UntrustedError], () => hostCommand(federation, agent))
}
