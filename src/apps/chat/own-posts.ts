import { createHash } from 'node:crypto'
import type { ChatMessage, Post, SaidPost } from './channel.ts'
import { plainText } from './without-markup.ts'

/** How many letters and digits of a post are compared: a product may cut what is longer. */
const telling = 400

/**
 * What of a text a chat product leaves as it is: its letters and digits. Marks of emphasis, line breaks and signs may
 * come back as others.
 */
function lettersOf(text: string): string {
  return [
    ...plainText(text)
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ''),
  ]
    .slice(0, telling)
    .join('')
}

/** Digest of a text's letters and digits, by which a post is found again: 16 hexadecimal digits. */
export function digestOf(text: string): string {
  return createHash('sha256').update(lettersOf(text)).digest('hex').slice(0, 16)
}

/** Whether a message stands where a post belongs: in its thread, or at the beginning of one. */
function isInPlace({ id, thread }: ChatMessage, post: Pick<Post, 'thread'>): boolean {
  return thread === (post.thread ?? id)
}

/**
 * Whether a post is among the messages of a channel. Posts carry no mark: one is found by its text and
 * thread. Others with the same text are excluded by their ids, or by their number where they have none.
 * @param said the other posts of the bridge, as far as the messages may reach back.
 */
export function isAmong(
  messages: readonly ChatMessage[],
  post: Pick<Post, 'thread' | 'text'>,
  said: readonly SaidPost[],
): boolean {
  const digest = digestOf(post.text)
  const alike = said.filter((one) => one.digest === digest && one.thread === post.thread)
  const same = said.filter((one) => one.digest === digest)
  const known = new Set(same.map(({ id }) => id))
  const found = messages.filter((one) => !known.has(one.id) && digestOf(one.text) === digest)
  const nameless = (some: readonly SaidPost[]) => some.filter(({ id }) => id === null).length
  if (found.filter((one) => isInPlace(one, post)).length > nameless(alike)) return true
  // not every channel has threads: there an answer begins one
  return found.filter(({ id, thread }) => thread === id).length > nameless(same)
}

/** Whether a message is one of the bridge's own posts. */
export function isOwn(message: ChatMessage, said: readonly SaidPost[]): boolean {
  if (said.some(({ id }) => id === message.id)) return true
  const nameless = said.filter((one) => one.id === null && isInPlace(message, one))
  return nameless.length > 0 && nameless.some(({ digest }) => digest === digestOf(message.text))
}
