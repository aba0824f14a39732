import { unless } from '../../../errors/unless.ts'
import { ChannelError } from '../../../errors/session-errors.ts'
import type { ChatMessage } from '../channel.ts'
import { plainText } from '../without-markup.ts'
import type { Page } from '../product-channel.ts'
import { brief } from '../team-lines.ts'

/** What a tool answered, as the protocol gives it; all of it is data from outside. */
export interface ToolResult {
  readonly isError?: boolean | undefined
  readonly structuredContent?: unknown
  readonly content?: readonly unknown[] | undefined
}

/** A page with more messages is refused. */
const mostMessages = 5000
/** Longest value of a field other than the text, in characters: a longer one counts as missing. */
const longestId = 1000
/** The same of what names the next page. */
const longestCursor = 10_000

/** Numbers, such as ids, whose last digits JavaScript would lose; and strings, which are left as they are. */
const longNumbers = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])\d{16,}(?![\d.eE])/g

/** Where chat servers put each field; the first that is there counts, so an address comes before a name. */
const places = {
  list: ['messages', 'value', 'items', 'data', 'results'],
  id: ['id', 'ts', 'messageId', 'message_id', 'message.id', 'message.ts', 'message.message_id'],
  thread: [
    'thread',
    'threadId',
    'thread_id',
    'thread_ts',
    'threadTs',
    'replyToId',
    'reply_to_id',
    'rootId',
    'parentId',
  ],
  sender: [
    ...['from.user.userPrincipalName', 'from.user.email', 'from.email', 'sender.email', 'author.email'],
    ...[
      'from.user.id',
      'from.id',
      'sender.id',
      'author.id',
      'user.id',
      'userId',
      'user_id',
      'senderId',
      'user',
    ],
    // who posts by a bot or an application may give it any name
    ...['from.application.id', 'bot_id', 'botId'],
    ...['from.user.displayName', 'from.name', 'sender.name', 'author.username', 'author.name', 'username'],
    ...['from', 'sender', 'author', 'from.application.displayName'],
  ],
  at: ['at', 'createdDateTime', 'createdAt', 'created_at', 'timestamp', 'date', 'time', 'sentAt', 'ts'],
  text: ['text', 'body.content', 'content', 'body', 'message'],
  next: ['next', 'nextCursor', 'next_cursor', 'nextPageToken', 'cursor', 'response_metadata.next_cursor'],
} as const

/** A page, and the times of everything on it, also of what is no message of a person. */
export interface DatedPage extends Page {
  /** ISO 8601. */
  readonly times: readonly string[]
}

/**
 * Reads what a tool that lists messages answered.
 * @throws {ChannelError} saying what it is instead of messages.
 */
export function pageOf(tool: string, result: ToolResult): DatedPage {
  const json = documentOf(tool, result)
  const all = Array.isArray(json) ? json : places.list.map((place) => at(json, place)).find(Array.isArray)
  if (!Array.isArray(all)) {
    const fault = faultIn(json)
    if (fault !== undefined) throw refusal(tool, fault)
    throw new ChannelError(`the tool ${tool} answered no list of messages`)
  }
  if (all.length > mostMessages)
    throw new ChannelError(
      `the tool ${tool} answered ${all.length} messages at once, more than ${mostMessages}`,
    )
  // one that somebody deleted, or the product made itself, has no sender or no text
  const messages = all.flatMap((one: unknown) => messageOf(one) ?? [])
  if (all.length > 0 && !all.some((one: unknown) => isDated(one)))
    throw new ChannelError(`no message that the tool ${tool} answered has an id, a sender, a time and a text`)
  const times = all.flatMap((one: unknown) => timeOf(textOf(one, places.at)) ?? [])
  return { messages, next: textOf(json, places.next, longestCursor) ?? null, times }
}

/** The id of what a tool posted; null where it is not told. @throws {ChannelError} when it refused. */
export function postedId(tool: string, result: ToolResult): string | null {
  if (result.isError === true || /^\s*error\b/iu.test(wordsOf(result))) throw refusal(tool, wordsOf(result))
  const json = unless(ChannelError, () => documentOf(tool, result))
  // many say in words that it is done
  if (json === undefined) return null
  const fault = faultIn(json)
  if (fault !== undefined) throw refusal(tool, fault)
  return textOf(json, places.id) ?? null
}

/**
 * The fault in an answer that a server returned as a success: `not_in_channel` of
 * `{"ok":false,"error":"not_in_channel"}`; empty where it gives no reason, undefined where there is none.
 */
function faultIn(json: unknown): string | undefined {
  const fault = textOf(json, ['error.message', 'error', 'error.code'], Infinity)
  return fault ?? (at(json, 'ok') === false || at(json, 'success') === false ? '' : undefined)
}

function isDated(one: unknown): boolean {
  return textOf(one, places.id) !== undefined && timeOf(textOf(one, places.at)) !== undefined
}

function messageOf(one: unknown): ChatMessage | undefined {
  const id = textOf(one, places.id)
  const sender = textOf(one, places.sender)
  const time = timeOf(textOf(one, places.at))
  const text = places.text.map((place) => at(one, place)).find((value) => typeof value === 'string')
  if (id === undefined || sender === undefined || time === undefined || typeof text !== 'string')
    return undefined
  return { id, thread: textOf(one, places.thread) ?? id, sender, at: time, text: plainText(text) }
}

function documentOf(tool: string, result: ToolResult): unknown {
  if (result.isError === true) throw refusal(tool, wordsOf(result))
  if (result.structuredContent !== undefined && result.structuredContent !== null)
    return result.structuredContent
  const text = wordsOf(result)
  const [, fenced] = /^```(?:json)?\s*\n([\s\S]*)\n```$/.exec(text.trim()) ?? []
  try {
    return JSON.parse(
      (fenced ?? text).replace(longNumbers, (part) => (part.startsWith('"') ? part : `"${part}"`)),
    )
  } catch {
    throw new ChannelError(`the tool ${tool} answered no JSON: ${brief(text, 100) || 'nothing'}`)
  }
}

function refusal(tool: string, why: string): ChannelError {
  return new ChannelError(`the tool ${tool} failed: ${brief(why, 200) || 'it does not say why'}`)
}

function wordsOf({ content = [] }: ToolResult): string {
  const texts = content.map((one) => at(one, 'text')).filter((text) => typeof text === 'string')
  return texts.join('\n')
}

/** The value at a dotted place; undefined where there is none. */
function at(json: unknown, place: string): unknown {
  return place.split('.').reduce<unknown>((value, key) => {
    const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    return isOwn ? (value as Record<string, unknown>)[key] : undefined
  }, json)
}

function textOf(json: unknown, all: readonly string[], longest = longestId): string | undefined {
  const found = all
    .map((place) => at(json, place))
    .find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number')
  const text = found === undefined ? undefined : String(found)
  return text !== undefined && text.length <= longest ? text : undefined
}

/** A time in ISO 8601, from that or from seconds or milliseconds since 1970; undefined for anything else. */
function timeOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const number = /^\d{10,13}(?:\.\d+)?$/.test(text) ? Number(text) : undefined
  const ms = number === undefined ? Date.parse(text) : number * (number < 1e12 ? 1000 : 1)
  return Number.isFinite(ms) && Math.abs(ms) < 8.64e15 ? new Date(ms).toISOString() : undefined
}
