import type { Client, JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { ChannelError } from '../../../errors/session-errors.ts'
import { packageVersion } from '../../../platform/process/package.ts'
import { jsonMessages } from '../../../agents/drivers/acp-transport.ts'
import { GatedProcess } from '../../../platform/process/gated-process.ts'
import { findProgram } from '../../../platform/process/find-program.ts'
import { brief } from '../team-lines.ts'
import type { Tool } from './tool-arguments.ts'
import type { ToolResult } from './tool-results.ts'

/** How a server is started: a program and its arguments, never a shell line. */
export interface ServerCommand {
  readonly command: readonly string[]
  /** Folder in which it runs. */
  readonly cwd: string
}

interface Open {
  readonly client: Client
  readonly tools: readonly Tool[]
}

/**
 * A server of the Model Context Protocol as a process of its own, started with the first call and again after it
 * ended. Whatever it does, a call ends within its time.
 */
export class ServerConnection {
  readonly #command: ServerCommand
  readonly #patienceMs: number
  readonly #log: (line: string) => void
  #process: GatedProcess | undefined
  #opening: Promise<Open> | undefined
  #isOver = false

  /** @param patienceMs longest that a call may take, in milliseconds. */
  constructor(command: ServerCommand, patienceMs: number, log: (line: string) => void) {
    this.#command = command
    this.#patienceMs = patienceMs
    this.#log = log
  }

  /** A tool of the server by its name. @throws {ChannelError} */
  async tool(name: string): Promise<Tool> {
    const { tools } = await this.#open()
    const found = tools.find((one) => one.name === name)
    if (found !== undefined) return found
    const there = tools.slice(0, 20).map((one) => brief(one.name, 60))
    throw new ChannelError(`the server has no tool ${name}; it has ${there.join(', ') || 'none'}`)
  }

  /** Calls a tool once. @throws {ChannelError} when there is no answer: the tool may have done it all the same. */
  async call(name: string, given: Record<string, unknown>): Promise<ToolResult> {
    const { client } = await this.#open()
    return this.#within(name, () => client.callTool({ name, arguments: given }, this.#limits))
  }

  /** Ends the server for good. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#restart()
  }

  get #limits() {
    return { timeout: this.#patienceMs, maxTotalTimeout: this.#patienceMs }
  }

  async #restart(): Promise<void> {
    const gated = this.#process
    this.#process = undefined
    this.#opening = undefined
    await gated?.end()
  }

  async #open(): Promise<Open> {
    if (this.#isOver) throw new ChannelError('the server is no longer talked to')
    this.#opening ??= this.#begin()
    return await this.#opening
  }

  #begin(): Promise<Open> {
    return this.#within('its start', async () => {
      const [program = '', ...args] = this.#command.command
      const { cwd } = this.#command
      const file = findProgram(program, cwd)
      if (file === undefined) throw new ChannelError(`there is no program '${brief(program, 200)}' to start`)
      const { Client } = await import('@modelcontextprotocol/client')
      const gated = new GatedProcess({ file, args, cwd, env: {} }, this.#log)
      this.#process = gated
      const client = new Client({ name: 'fed', version: packageVersion })
      await client.connect(new ProcessTransport(gated, this.#log), this.#limits)
      const { tools } = await client.listTools(undefined, this.#limits)
      return { client, tools }
    })
  }

  /** A server that does not answer as it should is ended: the next call starts another. */
  async #within<Answer>(what: string, call: () => Promise<Answer>): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined
    const silent = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new ChannelError(`no answer within ${this.#patienceMs / 1000} seconds`)),
        this.#patienceMs * 1.5,
      )
    })
    try {
      return await Promise.race([call(), silent])
    } catch (error) {
      await this.#restart()
      const reason = error instanceof Error ? error.message : String(error)
      throw new ChannelError(`the server of chatConfig fails (${what}): ${brief(reason, 200)}`, {
        cause: error,
      })
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The protocol's messages over the streams of a gated process, one a line; what is none is passed over. */
class ProcessTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #process: GatedProcess
  readonly #log: (line: string) => void

  constructor(process: GatedProcess, log: (line: string) => void) {
    this.#process = process
    this.#log = log
  }

  async start(): Promise<void> {
    const { readable } = jsonMessages(this.#process.input, this.#process.output, this.#log)
    void this.#read(readable)
  }

  async #read(messages: ReadableStream<unknown>): Promise<void> {
    try {
      for await (const message of messages) {
        try {
          this.onmessage?.(message as JSONRPCMessage)
        } catch (error) {
          this.onerror?.(error as Error)
        }
      }
    } catch (error) {
      this.onerror?.(error as Error)
    }
    this.onclose?.()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      // one that is gone is told by the end of its output
      this.#process.input.write(`${JSON.stringify(message)}\n`, () => resolve())
    })
  }

  async close(): Promise<void> {
    await this.#process.end()
  }
}
