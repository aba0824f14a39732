import { presentMs } from '../../protocol/clock.ts'
import { ChannelError } from '../../errors/session-errors.ts'
import type { Channel, ChatMessage, Post, Reading, Tries } from './channel.ts'
import { isAmong } from './own-posts.ts'

/** How far before its place a channel is read again, in milliseconds: messages come late and unordered. */
const overlapMs = 300_000
/** How far back the first look at a channel reads, in milliseconds. */
const firstMs = 600_000
/** Most pages of one look: a channel that lists more is taken to list without end. */
const mostPages = 500

/** Some messages of a channel, and where the rest begins. */
export interface Page {
  readonly messages: readonly ChatMessage[]
  /** What to give as `cursor` for the next page; null where there is none. */
  readonly next: string | null
}

/** What lists and posts the messages of a channel of a chat product. */
export interface ChatTools {
  /** What errors call them: `the agent host`. */
  readonly words: string
  /** Whether a model calls them: each call costs a turn, and a post that it reports is looked for. */
  readonly isModel: boolean
  /**
   * The messages that were written at or after a time, in no order, and perhaps others.
   * @param since ISO 8601.
   * @param cursor `next` of the page before; null for the first one.
   * @throws {ChannelError}
   */
  list(since: string, cursor: string | null): Promise<Page>
  /**
   * Posts a text, once.
   * @returns the message's id, null where it is not told.
   * @throws {ChannelError} when it may not have been posted.
   */
  post(thread: string | null, text: string): Promise<string | null>
  close(): Promise<void>
}

/** A channel of a chat product, read and written by tools (spec §5): nobody here holds a key. */
export class ProductChannel implements Channel {
  readonly key: string
  readonly words: string
  readonly isCostly: boolean
  readonly #tools: ChatTools

  constructor(key: string, words: string, tools: ChatTools) {
    this.key = key
    this.words = words
    this.isCostly = tools.isModel
    this.#tools = tools
  }

  /** A place is the time of the latest message; those shortly before it are returned once more. */
  async read(place: string | undefined): Promise<Reading> {
    const present = presentMs()
    const last = place === undefined ? present - firstMs : Date.parse(place)
    const since = place === undefined ? last : last - overlapMs
    let latest = last
    const heard = (await this.#since(since)).map((message) => {
      // a message from the future must not hide those that come until then
      latest = Math.max(latest, Math.min(Date.parse(message.at), present))
      return { message, place: new Date(latest).toISOString() }
    })
    return { heard, place: new Date(latest).toISOString() }
  }

  async post(post: Post, { since, isAgain, said }: Tries): Promise<string | null> {
    const { thread, text } = post
    // clocks differ
    const from = Date.parse(since) - overlapMs
    const alike = said.filter(({ at }) => Date.parse(at) >= from)
    const isThere = async () => isAmong(await this.#since(from), post, alike)
    if (isAgain && (await isThere())) return null
    const id = await this.#tools.post(thread, text)
    // who cannot find what it posted is believed the second time, so that nothing is said again and again
    if (!this.#tools.isModel || isAgain || (await isThere())) return id
    throw new ChannelError(`what ${this.#tools.words} says it posted is not in the channel`)
  }

  async close(): Promise<void> {
    await this.#tools.close()
  }

  /**
   * The messages written at or after a time, each id once, the oldest first.
   * @param since in milliseconds since 1970.
   * @throws {ChannelError}
   */
  async #since(since: number): Promise<ChatMessage[]> {
    const messages = new Map<string, ChatMessage>()
    const cursors = new Set<string>()
    const from = new Date(since).toISOString()
    let cursor: string | null = null
    for (let page = 1; ; page += 1) {
      const told: Page = await this.#tools.list(from, cursor)
      for (const message of told.messages) {
        // the first that was told of an id counts
        if (!messages.has(message.id)) messages.set(message.id, message)
      }
      const { next } = told
      if (next === null) break
      if (cursors.has(next) || page >= mostPages)
        throw new ChannelError(`${this.#tools.words} lists without end`)
      cursors.add(next)
      cursor = next
    }
    return [...messages.values()]
      .filter(({ at }) => Date.parse(at) >= since)
      .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
  }
}
