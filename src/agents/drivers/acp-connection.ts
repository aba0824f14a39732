import type { ClientConnection, InitializeResponse, RequestPermissionRequest } from '@agentclientprotocol/sdk'
import type { Readable, Writable } from 'node:stream'
import { packageVersion } from '../../platform/process/package.ts'
import { jsonMessages } from './acp-transport.ts'
import { optionFor } from './permission-policy.ts'
import { at, textAt } from './streams/json.ts'

/** The version of the protocol that is spoken here. */
const protocolVersion = 1

type Limits = { readonly cancellationSignal: AbortSignal; readonly stopWaitingOnCancel: true }

/** Who talks with an agent, and over which streams. */
interface Talker {
  readonly input: Writable
  readonly output: Readable
  /** Gets what the agent prints outside of the protocol. */
  readonly log: (line: string) => void
  /** Whether the agent may use the tool that it asks for. */
  readonly permit: (request: RequestPermissionRequest) => boolean
  /** Takes whatever an agent sent as an update of a session. */
  readonly update: (session: string | undefined, update: unknown) => void
  /** Makes a call that the agent has to answer in time. */
  readonly within: <Answer>(name: string, call: (limits?: Limits) => Promise<Answer>) => Promise<Answer>
}

/** An agent that is talked to by the Agent Client Protocol. */
export interface AcpConnection {
  readonly methods: typeof import('@agentclientprotocol/sdk').methods
  readonly agent: ClientConnection['agent']
  /** What the agent said of itself. */
  readonly about: InitializeResponse
}

/**
 * Begins to talk with an agent by the Agent Client Protocol. It reads, writes and runs by its own means, under the
 * permissions that it asks for.
 * @throws as `within` does, also when the agent speaks another version.
 */
export async function connectAcp(talker: Talker): Promise<AcpConnection> {
  const { input, output, log, permit, update, within } = talker
  const { client, methods } = await import('@agentclientprotocol/sdk')
  const { agent } = client({ name: 'fed' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      const optionId = optionFor(permit(params), params.options)
      return optionId === undefined
        ? { outcome: { outcome: 'cancelled' as const } }
        : { outcome: { outcome: 'selected' as const, optionId } }
    })
    .connect(
      // updates are read by hand: of what the protocol does not know (yet) its library would complain to the person
      jsonMessages(input, output, log, (message) => {
        if (textAt(message, 'method') !== methods.client.session.update) return false
        update(textAt(message, 'params', 'sessionId'), at(message, 'params', 'update'))
        return true
      }),
    )
  const about = await within('initialize', async (limits) => {
    const given = {
      protocolVersion,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'fed', version: packageVersion },
    }
    const answer = await agent.request<InitializeResponse>(methods.agent.initialize, given, limits)
    const version: unknown = at(answer, 'protocolVersion')
    if (version !== protocolVersion)
      throw new Error(`it speaks version ${String(version)} of the protocol, not ${protocolVersion}`)
    return answer
  })
  return { methods, agent, about }
}
