import path from 'node:path'
import { ConfigValidationError } from '../../errors/document-errors.ts'
import type { Federation } from '../../federation/federation.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { LOCAL } from './local-channel.ts'
import { whyUnreached } from './unreached.ts'

/** Which adapter reads and writes the channel. */
export type ChannelKind = 'local' | 'host' | 'server'

/** A channel of a federation. */
interface ChannelChoice {
  readonly kind: ChannelKind
  /** Tells it from every other. */
  readonly key: string
  /** Why the channel of `chatConfig` is not reached, and what helps: then the local one stands in for it. */
  readonly unreached: string | undefined
}

/** How a federation is present in a chat. */
export interface ChatSettings extends ChannelChoice {
  /** What it is called there. */
  readonly name: string
  readonly allowedSenders: readonly string[] | undefined
  /** Agent name or command. */
  readonly agent: string
}

interface Chosen {
  readonly kind?: ChannelKind
  readonly agent?: string
}

type Configured = Pick<Federation, 'root' | 'config'>

/** What a federation without `federationName` is called in its local channel. */
const NAMELESS = 'fed'

/**
 * Where a federation's chat is. Without a choice, it is the channel of `chatConfig`, read and written by its server or
 * else by the agent host; the local one where there is no `chatConfig`, or nobody who could reach its channel.
 * @throws {ConfigValidationError} when a channel was chosen that the configuration does not name.
 */
export function channelOf(federation: Configured, { kind: wanted, agent }: Chosen = {}): ChannelChoice {
  const { root, config } = federation
  const { chatConfig } = config
  if (wanted === 'local' || (wanted === undefined && chatConfig === undefined))
    return { kind: 'local', key: LOCAL, unreached: undefined }
  if (chatConfig === undefined || (wanted === 'server' && chatConfig.server === undefined)) {
    const isNamed = chatConfig !== undefined
    const message = `is missing: it names the ${isNamed ? "server's command and tools" : 'channel'}; '--channel local' needs none`
    const problem = { path: isNamed ? 'chatConfig.server' : 'chatConfig', message }
    throw new ConfigValidationError(federationLayout(root).config, [problem])
  }
  const unreached = wanted === undefined ? whyUnreached(federation, agent) : undefined
  if (unreached !== undefined) return { kind: 'local', key: LOCAL, unreached }
  const kind = wanted ?? (chatConfig.server === undefined ? 'host' : 'server')
  return { kind, key: `${chatConfig.teamId} ${chatConfig.channelId}`, unreached }
}

/**
 * How the presence bridge of a federation is to work.
 * @throws {ConfigValidationError} when `chatConfig` is set and `federationName` is missing (spec §7), and as
 * `channelOf` does.
 */
export function chatSettings(federation: Configured, chosen: Chosen = {}): ChatSettings {
  const { config } = federation
  const { chatConfig, federationName } = config
  const fault = nameFault(federation)
  if (fault !== undefined) throw fault
  return {
    ...channelOf(federation, chosen),
    name: federationName ?? NAMELESS,
    allowedSenders: chatConfig?.allowedSenders,
    agent: chosen.agent ?? config.agentCommand,
  }
}

/** Why the presence bridge has no name that people could mention; undefined where it has one. */
export function nameFault({ root, config }: Configured): ConfigValidationError | undefined {
  if (config.chatConfig === undefined || config.federationName !== undefined) return undefined
  const message = 'is missing: with chatConfig the chat presence bridge needs the name that people mention'
  return new ConfigValidationError(federationLayout(root).config, [{ path: 'federationName', message }])
}

/** What the federation is called in a summary, whether it has a name or not. */
export function summaryName({ root, config }: Pick<Federation, 'root' | 'config'>): string {
  return config.federationName ?? path.basename(root)
}
