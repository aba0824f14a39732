import type { AgentHost } from '../acp/agent-host.ts'
import { channelMay } from '../acp/coordinator-policy.ts'
import { AgentHostError, ChannelError } from '../errors.ts'
import type { Channel, ChatMessage, Post, Reading } from './channel.ts'
import {
  answerOf,
  promptFor,
  type ChannelAddress,
  type HostAnswers,
  type HostPage,
  type HostRequest,
} from './host-requests.ts'

/** Messages come late and in no order: so far before its place the channel is read again, in milliseconds. */
const overlapMs = 300_000
/** What was said before the first look, so long ago at most, is still meant, in milliseconds. */
const firstMs = 600_000
/** How often a request is made before the channel counts as failing. */
const mostTries = 3
/** A session is told everything that it was told before: after so many requests another one begins. */
const mostRequests = 40
/** So many pages are read at most; a host that never comes to an end is not trusted. */
const mostPages = 500

/**
 * A channel of a chat product, read and written with the tools that the agent host has (spec §5): nobody here holds
 * a key, and nothing that the host says is taken on faith.
 */
export class HostChannel implements Channel {
  readonly key: string
  readonly #address: ChannelAddress
  readonly #host: AgentHost
  #session: string | undefined
  #requests = 0
  #queue: Promise<unknown> = Promise.resolve()

  constructor(key: string, address: ChannelAddress, host: AgentHost) {
    this.key = key
    this.#address = address
    this.#host = host
  }

  get words(): string {
    return `the channel ${this.#address.channelId}`
  }

  /** A place is the time of the latest message: those around it are told again, and known by their ids. */
  async read(place: string | undefined): Promise<Reading> {
    const present = Date.now()
    const last = place === undefined ? present - firstMs : Date.parse(place)
    const since = place === undefined ? last : last - overlapMs
    const messages = await this.#list(new Date(since).toISOString())
    let latest = last
    const heard = messages
      .filter(({ at }) => Date.parse(at) >= since)
      .map((message) => {
        // a message from the future must not hide those that come until then
        latest = Math.max(latest, Math.min(Date.parse(message.at), present))
        return { message, place: new Date(latest).toISOString() }
      })
    return { heard, place: new Date(latest).toISOString() }
  }

  async #list(since: string): Promise<ChatMessage[]> {
    const messages = new Map<string, ChatMessage>()
    const cursors = new Set<string>()
    let cursor: string | null = null
    for (let page = 1; ; page += 1) {
      const told: HostPage = await this.#ask({ do: 'list', since, cursor })
      for (const { id, thread, sender, at, text } of told.messages) {
        // the first that was told of an id counts
        if (!messages.has(id)) messages.set(id, { id, thread: thread ?? id, sender, at, text })
      }
      const { next } = told
      if (next === null || next === undefined) break
      if (cursors.has(next) || page >= mostPages) throw new ChannelError('the agent host lists without end')
      cursors.add(next)
      cursor = next
    }
    return [...messages.values()].toSorted(
      (a, b) => Date.parse(a.at) - Date.parse(b.at) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
    )
  }

  async post({ id, thread, text }: Post, mayBeThere: boolean): Promise<void> {
    const mark = `‹fed ${id.slice(0, 13)}›`
    if (mayBeThere && (await this.#ask({ do: 'find', thread, mark })).id !== null) return
    // once: whether an attempt that failed came through, only a look can tell
    await this.#ask({ do: 'post', thread, text: `${text}\n${mark}` }, 1)
    // a host that cannot find what it posted is believed the second time, so that nothing is said again and again
    if (mayBeThere) return
    if ((await this.#ask({ do: 'find', thread, mark })).id === null)
      throw new ChannelError('what the agent host says it posted is not in the channel')
  }

  async close(): Promise<void> {
    await this.#host.end()
  }

  /** One request at a time. */
  #ask<Request extends HostRequest>(
    request: Request,
    tries = mostTries,
  ): Promise<HostAnswers[Request['do']]> {
    const asked = this.#queue.then(() => this.#attempt(request, tries))
    this.#queue = asked.catch(() => undefined)
    return asked
  }

  async #attempt<Request extends HostRequest>(
    request: Request,
    tries: number,
  ): Promise<HostAnswers[Request['do']]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (this.#session === undefined || this.#requests >= mostRequests) {
          this.#session = await this.#host.session(channelMay)
          this.#requests = 0
        }
        this.#requests += 1
        const answer = await this.#host.prompt(this.#session, promptFor(this.#address, request))
        return answerOf<Request['do']>(request.do, answer)
      } catch (error) {
        if (!(error instanceof ChannelError) && !(error instanceof AgentHostError)) throw error
        // what a session was confused by stays in it
        this.#session = undefined
        if (attempt >= tries)
          throw error instanceof ChannelError ? error : new ChannelError(error.message, { cause: error })
      }
    }
  }
}
