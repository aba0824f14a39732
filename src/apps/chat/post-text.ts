import { v5 as uuidOf } from 'uuid'
import { withoutMentions } from './mention.ts'
import type { QueuedPost } from './chat-ledger.ts'

/** Longest post in characters: a chat is no place for documents. */
const longestPost = 4000

/** What the bridge says: it mentions nobody, so that it never calls itself or another bridge, and it has an end. */
export function spoken(text: string): string {
  // signs that are not seen could part a mention until they are gone
  const plain = withoutMentions(text.replace(/(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu, '')).trim()
  const characters = [...plain]
  return characters.length <= longestPost
    ? plain
    : `${characters.slice(0, longestPost).join('').trimEnd()}… (cut)`
}

/**
 * Something to say, with the id by which it is known however often it is tried.
 * @param ledger the ledger's id. @param what tells it from everything else that is said there.
 */
export function postOf(ledger: string, what: string, thread: string | null, text: string): QueuedPost {
  return { id: uuidOf(what, ledger), thread, text: spoken(text) }
}
