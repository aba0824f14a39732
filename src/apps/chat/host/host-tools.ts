import type { AgentHost } from './agent-host.ts'
import { channelMay } from './coordinator-policy.ts'
import { AgentHostError, ChannelError } from '../../../errors/session-errors.ts'
import {
  answerOf,
  promptFor,
  type ChannelAddress,
  type HostAnswers,
  type HostRequest,
} from './host-requests.ts'
import type { ChatTools, Page } from '../product-channel.ts'

/** How often a request is made before the channel counts as failing. */
const mostTries = 3
/** A session is replaced after this many requests: with each, its model reads all earlier ones again. */
const mostRequests = 40

/** The chat tools of an agent host (spec §5), by asking its model: nothing that it says is taken on faith. */
export class HostTools implements ChatTools {
  readonly words = 'the agent host'
  readonly isModel = true
  readonly #address: ChannelAddress
  readonly #host: AgentHost
  #session: string | undefined
  #requests = 0
  #queue: Promise<unknown> = Promise.resolve()

  constructor(address: ChannelAddress, host: AgentHost) {
    this.#address = address
    this.#host = host
  }

  async list(since: string, cursor: string | null): Promise<Page> {
    const { messages, next = null } = await this.#ask({ do: 'list', since, cursor })
    return { messages: messages.map((one) => ({ ...one, thread: one.thread ?? one.id })), next }
  }

  /** Posts with a single try: after a failure, only reading the channel tells whether the text was posted. */
  async post(thread: string | null, text: string): Promise<string | null> {
    return (await this.#ask({ do: 'post', thread, text }, 1)).id ?? null
  }

  async close(): Promise<void> {
    await this.#host.end()
  }

  /** Makes a request after those before it have ended: one at a time. */
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
