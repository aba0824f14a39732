import { v4 as uuid } from 'uuid'
import { LocalChannel } from '../local-channel.ts'
import { chatSettings } from '../chat-settings.ts'
import { requestIn, type HostAnswers, type HostRequest } from './host-requests.ts'
import { openFederation } from '../../../federation/federation.ts'
import { packageVersion } from '../../../platform/process/package.ts'
import { jsonMessages } from '../../../agents/drivers/acp-transport.ts'

/** So many messages are told at a time. */
const pageSize = 50

/**
 * The embedded agent as a host (spec §5): it speaks the Agent Client Protocol over the standard streams, and its chat
 * tools are the local channel. It has no language model, and says so to whatever else it is told.
 * @returns when its input ends.
 */
export async function serveAsHost(root: string): Promise<void> {
  const { agent, methods } = await import('@agentclientprotocol/sdk')
  const federation = await openFederation(root)
  const { name } = chatSettings(federation, { kind: 'local' })
  const channel = new LocalChannel(federation.root, name)
  const connection = agent({ name: 'fed-agent' })
    .onRequest(methods.agent.initialize, () => ({
      protocolVersion: 1,
      agentCapabilities: { loadSession: false },
      agentInfo: { name: 'fed-agent', version: packageVersion },
      authMethods: [],
    }))
    .onRequest(methods.agent.session.new, () => ({ sessionId: uuid() }))
    .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
      const { sessionId, prompt } = params
      const text = prompt.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
      await client.notify(methods.client.session.update, {
        sessionId,
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: await answerTo(channel, text) },
        },
      })
      return { stopReason: 'end_turn' as const }
    })
    // every prompt is answered at once: there is nothing to stop
    .onNotification(methods.agent.session.cancel, () => undefined)
    .connect(
      jsonMessages(process.stdout, process.stdin, (line) => process.stderr.write(`no message: ${line}\n`)),
    )
  await connection.closed
}

async function answerTo(channel: LocalChannel, text: string): Promise<string> {
  try {
    const request = requestIn(text)
    if (request !== undefined) return JSON.stringify(await carryOut(channel, request))
  } catch (error) {
    return JSON.stringify({ error: error instanceof Error ? error.message : String(error) })
  }
  return 'I have no language model, so I cannot answer that; I list and post messages of the local channel.'
}

async function carryOut(
  channel: LocalChannel,
  request: HostRequest,
): Promise<HostAnswers[HostRequest['do']]> {
  const all = channel.messages().map(({ message }) => message)
  switch (request.do) {
    case 'list': {
      const since = Date.parse(request.since)
      const later = all.filter(({ at }) => Date.parse(at) >= since)
      const from = Number(request.cursor ?? 0)
      const next = from + pageSize < later.length ? String(from + pageSize) : null
      return { messages: later.slice(from, from + pageSize), next }
    }
    case 'post': {
      const { thread, text } = request
      return { id: await channel.post({ id: uuid(), thread, text }) }
    }
    default:
      throw new Error('there is no such request')
  }
}
