import { createHash } from 'node:crypto'
import type { ChatMessage, Post, SaidPost } from './channel.ts'
import { plainText } from './without-markup.ts'

/** Longer posts are known again by their beginning: a product may cut them. In letters and digits. */
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

/** Tells what a post says from everything else, in few characters. */
export function digestOf(text: string): string {
  return createHash('sha256').update(lettersOf(text)).digest('hex').slice(0, 16)
}

/** Whether a message stands where a post belongs: in its thread, or at the beginning of one. */
function isInPlace({ id, thread }: ChatMessage, post: Pick<Post, 'thread'>): boolean {
  return thread === (post.thread ?? id)
}

/**
 * Whether a post is among the messages of a channel. It bears no mark: it is known by its words and its place, and
 * told from those that say the same by their ids, or, where a channel tells none, by how many they are.
 * @param said the bridge's other posts, as far as the messages may reach back.
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
