import type { ChannelAddress } from '../host/host-requests.ts'
import type { ChatTools, Page } from '../product-channel.ts'
import { argumentsFor, takes, type Fixed, type Meaning, type Tool } from './tool-arguments.ts'
import { ServerConnection } from './server-connection.ts'
import { pageOf, postedId } from './tool-results.ts'

/** `chatConfig.server` */
export interface ServerConfig {
  readonly command: readonly string[]
  readonly tools: { readonly list: string; readonly post: string; readonly reply?: string | undefined }
  readonly arguments?: Fixed | undefined
}

/** How many messages are asked for at a time. */
const pageSize = 100

/** The chat tools of an MCP server, which are called without a model (spec §5: the server has the key). */
export class ServerTools implements ChatTools {
  readonly words = 'the server'
  readonly isModel = false
  readonly #address: ChannelAddress
  readonly #config: ServerConfig
  readonly #connection: ServerConnection
  /** Time of the newest message on the page before, by the cursor of a page; in milliseconds since 1970. */
  readonly #latest = new Map<string, number>()

  /**
   * @param cwd folder in which the server runs.
   * @param patienceMs longest that a call may take, in milliseconds.
   */
  constructor(
    address: ChannelAddress,
    config: ServerConfig,
    { cwd, patienceMs, log }: { cwd: string; patienceMs: number; log: (line: string) => void },
  ) {
    this.#address = address
    this.#config = config
    this.#connection = new ServerConnection({ command: config.command, cwd }, patienceMs, log)
  }

  async list(since: string, cursor: string | null): Promise<Page> {
    const name = this.#config.tools.list
    const tool = await this.#connection.tool(name)
    const given = { limit: pageSize, since, ...(cursor === null ? {} : { cursor }) }
    const { times, ...page } = pageOf(name, await this.#connection.call(name, this.#filled(tool, given)))
    const latest = Math.max(...times.map((time) => Date.parse(time)))
    const before = cursor === null ? undefined : this.#latest.get(cursor)
    // most go back in time from page to page, and never end before the channel does; some begin with the oldest
    const isBack = before !== undefined && times.length > 0 && latest <= before
    const isPast = isBack && latest < Date.parse(since)
    if (cursor === null) this.#latest.clear()
    if (page.next !== null) this.#latest.set(page.next, times.length > 0 ? latest : (before ?? Infinity))
    return { ...page, next: isPast || !takes(tool, 'cursor') ? null : page.next }
  }

  async post(thread: string | null, text: string): Promise<string | null> {
    const { post, reply } = this.#config.tools
    const name = thread === null ? post : (reply ?? post)
    const tool = await this.#connection.tool(name)
    const given = { text, ...(thread === null ? {} : { thread }) }
    return postedId(name, await this.#connection.call(name, this.#filled(tool, given)))
  }

  async close(): Promise<void> {
    await this.#connection.end()
  }

  #filled(tool: Tool, given: Partial<Record<Meaning, string | number>>): Record<string, unknown> {
    const { teamId: team, channelId: channel } = this.#address
    return argumentsFor(tool, { team, channel, ...given }, this.#config.arguments ?? {})
  }
}
