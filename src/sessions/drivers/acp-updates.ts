import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { Listener } from './driver.ts'
import { amountAt } from './streams/json.ts'
import { hasOwnName, type ToolRequest } from './permission-policy.ts'

/** Kinds of tools that change files, in the words of the protocol. */
const changing = ['edit', 'delete', 'move']

/** What an agent says of a tool call at one moment. */
export interface Said {
  readonly kind?: string | null
  readonly name?: string | null
  readonly title?: string | null
}

interface ToolCall extends ToolRequest {
  readonly path: string | null
}

/** Parts of a message are joined until there is so much of it, in characters, or so long, in milliseconds. */
const longestPart = 4000
const partMs = 1000

/** What an agent says and does in a conversation, as lines of JSON: messages whole, tool calls with their outcome. */
export class AcpUpdates {
  readonly #log: (line: string) => void
  readonly #report: Listener
  readonly #calls = new Map<string, ToolCall>()
  #speaking: { readonly type: 'message' | 'thought'; text: string; readonly since: number } | undefined

  constructor(log: (line: string) => void, report: Listener) {
    this.#log = log
    this.#report = report
  }

  take(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#say('message', update.content)
      case 'agent_thought_chunk':
        return this.#say('thought', update.content)
      case 'tool_call':
      case 'tool_call_update':
        return this.#call(update)
      case 'plan':
        return this.write({ type: 'plan', content: update.entries.map(({ content }) => content) })
      case 'usage_update': {
        const { cost } = update
        if (cost?.currency === 'USD')
          this.#report({ kind: 'usage', usage: { cost: amountAt(cost, 'amount') } })
        return
      }
      default:
        // commands, modes and titles of the agent's own screen
        return
    }
  }

  /** What the agent said of a tool call, with what it says now. */
  known(id: string, { kind, name, title }: Said): ToolRequest {
    const earlier = this.#calls.get(id)
    const names = [...(earlier?.names ?? []), ...[name, title].filter((one) => one != null)]
    return { kind: kind ?? earlier?.kind, names: [...new Set(names)] }
  }

  write(line: Readonly<Record<string, unknown>>): void {
    this.flush()
    this.#log(JSON.stringify(line))
  }

  /** Writes down what was said so far. */
  flush(): void {
    const spoken = this.#speaking
    this.#speaking = undefined
    if (spoken !== undefined) this.#log(JSON.stringify({ type: spoken.type, text: spoken.text }))
  }

  #say(type: 'message' | 'thought', content: { readonly type: string; readonly text?: string }): void {
    if (content.type !== 'text' || content.text === undefined) return
    if (this.#speaking?.type !== type) this.flush()
    this.#speaking ??= { type, text: '', since: performance.now() }
    this.#speaking.text += content.text
    const { text, since } = this.#speaking
    if (text.length > longestPart || performance.now() - since > partMs) this.flush()
  }

  #call(update: Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>): void {
    const { toolCallId: id, status, locations } = update
    const call = {
      ...this.known(id, update),
      path: locations?.[0]?.path ?? this.#calls.get(id)?.path ?? null,
    }
    this.#calls.set(id, call)
    if (status === 'in_progress' && update.sessionUpdate === 'tool_call_update') return
    const { kind, names, path } = call
    const title = names.at(-1)
    this.write({ type: 'tool_call', description: title, kind, status, ...(path === null ? {} : { path }) })
    if (status !== 'completed' && status !== 'failed') return
    this.#calls.delete(id)
    if (status === 'completed' && changing.includes(kind ?? '') && !hasOwnName(call))
      this.#report({ kind: 'wrote', tool: title ?? kind ?? '', path })
  }
}
