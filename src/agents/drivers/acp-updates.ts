import type { Listener } from './driver.ts'
import { amountAt, at, listAt, textAt } from './streams/json.ts'
import { hasOwnName, type ToolRequest } from './permission-policy.ts'

/** Kinds of tools that change files, in the words of the protocol. */
const changing = ['edit', 'delete', 'move']

/** What an agent says of a tool call at one moment. */
export interface Said {
  readonly kind?: string | null | undefined
  readonly name?: string | null | undefined
  readonly title?: string | null | undefined
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

  /** Takes whatever an agent sent as an update: what is not understood is passed over. */
  take(update: unknown): void {
    switch (textAt(update, 'sessionUpdate')) {
      case 'agent_message_chunk':
        return this.#say('message', at(update, 'content'))
      case 'agent_thought_chunk':
        return this.#say('thought', at(update, 'content'))
      case 'tool_call':
      case 'tool_call_update':
        return this.#call(update)
      case 'plan':
        return this.write({
          type: 'plan',
          content: listAt(update, 'entries').flatMap((entry) => textAt(entry, 'content') ?? []),
        })
      case 'usage_update': {
        const cost = at(update, 'cost')
        if (textAt(cost, 'currency') === 'USD')
          // of the whole session, with the runs before
          this.#report({ kind: 'usage', total: { cost: amountAt(cost, 'amount') } })
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

  #say(type: 'message' | 'thought', content: unknown): void {
    const text = textAt(content, 'text')
    if (textAt(content, 'type') !== 'text' || text === undefined) return
    if (this.#speaking?.type !== type) this.flush()
    this.#speaking ??= { type, text: '', since: performance.now() }
    this.#speaking.text += text
    const { text: spoken, since } = this.#speaking
    if (spoken.length > longestPart || performance.now() - since > partMs) this.flush()
  }

  #call(update: unknown): void {
    const id = textAt(update, 'toolCallId')
    if (id === undefined) return
    const [first] = listAt(update, 'locations')
    const said = {
      kind: textAt(update, 'kind'),
      name: textAt(update, 'name'),
      title: textAt(update, 'title'),
    }
    const call = {
      ...this.known(id, said),
      path: textAt(first, 'path') ?? this.#calls.get(id)?.path ?? null,
    }
    this.#calls.set(id, call)
    const status = textAt(update, 'status')
    if (status === 'in_progress' && textAt(update, 'sessionUpdate') === 'tool_call_update') return
    const { kind, names, path } = call
    const title = names.at(-1)
    this.write({ type: 'tool_call', description: title, kind, status, ...(path === null ? {} : { path }) })
    if (status !== 'completed' && status !== 'failed') return
    this.#calls.delete(id)
    if (status === 'completed' && changing.includes(kind ?? '') && !hasOwnName(call))
      this.#report({ kind: 'wrote', tool: title ?? kind ?? '', path })
  }
}
