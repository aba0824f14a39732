import path from 'node:path'
import { ConfigValidationError } from '../errors.ts'
import type { Federation } from '../federation.ts'
import { EMBEDDED_AGENT } from '../protocol/config.ts'
import { federationLayout } from '../protocol/layout.ts'
import { LOCAL } from './local-channel.ts'

/** Which adapter reads and writes the channel. */
type ChannelKind = 'local' | 'host'

/** A channel of a federation. */
interface ChannelChoice {
  readonly kind: ChannelKind
  /** Tells it from every other. */
  readonly key: string
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
 * Where a federation's chat is. Without a choice, it is the channel of `chatConfig`, read and written by the agent
 * host, and the local one where there is no `chatConfig` or the agent is the embedded one.
 * @throws {ConfigValidationError} when the agent host's channel was chosen and there is no `chatConfig`.
 */
export function channelOf({ root, config }: Configured, { kind: wanted, agent }: Chosen = {}): ChannelChoice {
  const { chatConfig } = config
  const isEmbedded = (agent ?? config.agentCommand) === EMBEDDED_AGENT
  const kind = wanted ?? (chatConfig === undefined || isEmbedded ? 'local' : 'host')
  if (kind === 'local') return { kind, key: LOCAL }
  if (chatConfig !== undefined) return { kind, key: `${chatConfig.teamId} ${chatConfig.channelId}` }
  throw new ConfigValidationError(federationLayout(root).config, [
    { path: 'chatConfig', message: "is missing: it names the channel; '--channel local' needs none" },
  ])
}

/**
 * How the presence bridge of a federation is to work.
 * @throws {ConfigValidationError} when `chatConfig` is set and `federationName` is missing (spec §7), and as
 * `channelOf` does.
 */
export function chatSettings(federation: Configured, chosen: Chosen = {}): ChatSettings {
  const { root, config } = federation
  const { chatConfig, federationName } = config
  if (chatConfig !== undefined && federationName === undefined) {
    const message = 'is missing: with chatConfig the chat presence bridge needs the name that people mention'
    throw new ConfigValidationError(federationLayout(root).config, [{ path: 'federationName', message }])
  }
  return {
    ...channelOf(federation, chosen),
    name: federationName ?? NAMELESS,
    allowedSenders: chatConfig?.allowedSenders,
    agent: chosen.agent ?? config.agentCommand,
  }
}

/** What the federation is called in a summary, whether it has a name or not. */
export function summaryName({ root, config }: Pick<Federation, 'root' | 'config'>): string {
  return config.federationName ?? path.basename(root)
}
