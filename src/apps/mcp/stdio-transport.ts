import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server'
import { readMessages } from '../../platform/process/read-messages.ts'
import { unless } from '../../errors/unless.ts'

/** Codes of JSON-RPC for what is no JSON, and for JSON that is no message. */
const noJson = -32_700
const noMessage = -32_600

/**
 * The standard streams as a transport. What is no message, or is too long for one, is answered with an error, and the
 * server goes on; the messages of a batch are taken one by one.
 */
export class StdioTransport implements Transport {
  onmessage?: Transport['onmessage']
  onclose?: () => void
  onerror?: (error: Error) => void

  start(): Promise<void> {
    void this.#read()
    return Promise.resolve()
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      // a client that is gone ends the server by closing its input
      process.stdout.write(`${JSON.stringify(message)}\n`, () => resolve())
    })
  }

  close(): Promise<void> {
    process.stdin.destroy()
    this.onclose?.()
    return Promise.resolve()
  }

  async #read(): Promise<void> {
    for await (const message of readMessages(process.stdin, (noise, isRest) => {
      if (!isRest) this.#takeNoise(noise)
    }))
      this.#take(message)
    await this.close()
  }

  #take(given: unknown): void {
    let message: JSONRPCMessage
    try {
      message = parseJSONRPCMessage(given)
    } catch {
      const { id } = given as { id?: unknown }
      const isId = typeof id === 'string' || Number.isInteger(id)
      return this.#refuse(
        isId ? (id as string | number) : null,
        noMessage,
        'this is no message of JSON-RPC 2.0',
      )
    }
    this.onmessage?.(message)
  }

  #takeNoise(noise: string): void {
    for (const line of noise.split('\n')) {
      const batch = line.trimStart().startsWith('[')
        ? unless(SyntaxError, () => JSON.parse(line) as unknown[])
        : undefined
      if (batch === undefined || batch.length === 0)
        this.#refuse(null, noJson, 'this line is no JSON, or longer than 16 MiB')
      else for (const one of batch) this.#take(one)
    }
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`)
  }
}
