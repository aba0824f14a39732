import { ChannelError } from '../../../errors/session-errors.ts'
import { brief } from '../team-lines.ts'

/** What a tool's arguments can stand for. */
export type Meaning = 'team' | 'channel' | 'limit' | 'since' | 'cursor' | 'text' | 'thread'

/** How the chat servers that there are call each: the first that a tool takes is given. */
const names: Readonly<Record<Meaning, readonly string[]>> = {
  team: ['teamId', 'team_id', 'team-id', 'team', 'groupId'],
  channel: [
    'channelId',
    'channel_id',
    'channel-id',
    'channel',
    'conversationId',
    'chatId',
    'chat_id',
    'room',
  ],
  limit: ['limit', 'count', 'top', 'maxResults', 'max_results', 'pageSize', 'page_size'],
  since: ['since'],
  cursor: ['cursor', 'nextCursor', 'next_cursor', 'pageToken', 'page_token'],
  text: ['text', 'message', 'content', 'body', 'payload', 'markdown'],
  thread: [
    ...['thread_ts', 'threadTs', 'threadId', 'thread_id', 'thread', 'replyToId', 'reply_to_id', 'replyTo'],
    ...['reply_to', 'messageId', 'message_id', 'message-id', 'parentId', 'parent_id', 'rootId', 'root_id'],
  ],
}

/** A tool as its server declares it; all of it is data from outside. */
export interface Tool {
  readonly name: string
  readonly inputSchema: {
    readonly properties?: Readonly<Record<string, unknown>> | undefined
    readonly required?: readonly string[] | undefined
  }
}

export type Fixed = Readonly<Record<string, string | number | boolean>>

/** Whether a tool takes something of this meaning. */
export function takes(tool: Tool, meaning: Meaning): boolean {
  return nameOf(tool, meaning) !== undefined
}

function nameOf({ inputSchema: { properties } }: Tool, meaning: Meaning): string | undefined {
  // a tool that declares nothing gets the usual names
  if (properties === undefined || Object.keys(properties).length === 0) return names[meaning][0]
  return names[meaning].find((name) => Object.hasOwn(properties, name))
}

/**
 * The arguments of a call: what the configuration fixes, and else what the tool's schema has a name for.
 * @throws {ChannelError} when the tool needs one that nobody knows.
 */
export function argumentsFor(
  tool: Tool,
  given: Readonly<Partial<Record<Meaning, string | number>>>,
  fixed: Fixed,
): Record<string, unknown> {
  const { properties = {}, required = [] } = tool.inputSchema
  const declared = Object.keys(properties)
  const filled: Record<string, unknown> = {}
  for (const [meaning, value] of Object.entries(given) as [Meaning, string | number][]) {
    const name = nameOf(tool, meaning)
    const declaredValue = name === undefined ? undefined : asDeclared(properties[name], value)
    // nobody knows what number stands for a time, or for words
    if (name !== undefined && !Number.isNaN(declaredValue)) filled[name] = declaredValue
  }
  for (const [name, value] of Object.entries(fixed))
    if (declared.length === 0 || declared.includes(name)) filled[name] = value
  const missing = required.filter((name) => !Object.hasOwn(filled, name))
  if (missing.length === 0) return filled
  const list = missing.map((name) => brief(name, 60)).join(', ')
  throw new ChannelError(
    `the tool ${brief(tool.name, 60)} needs ${list}, which fed does not know; chatConfig.server.arguments can give it`,
  )
}

function asDeclared(schema: unknown, value: string | number): string | number {
  const { type, maximum } = (schema ?? {}) as { readonly type?: unknown; readonly maximum?: unknown }
  const isNumber = type === 'number' || type === 'integer'
  if (typeof value === 'number' && typeof maximum === 'number')
    return asNumber(Math.min(value, maximum), isNumber)
  return asNumber(value, isNumber)
}

function asNumber(value: string | number, isNumber: boolean): string | number {
  return isNumber ? Number(value) : String(value)
}
