import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

/** Longer messages are not read: no answer of an agent needs it, and they fill the memory. In characters. */
const longestMessage = 16 * 1024 * 1024

/**
 * JSON messages, one a line, over a process's streams.
 * @param onNoise gets what the process prints between its messages.
 */
export function jsonMessages(input: Writable, output: Readable, onNoise: (line: string) => void): Stream {
  return {
    readable: ReadableStream.from(readMessages(output, onNoise)),
    writable: new WritableStream<AnyMessage>({
      write: (message) =>
        new Promise((resolve) => {
          // one that is gone is told by its exit
          input.write(`${JSON.stringify(message)}\n`, () => resolve())
        }),
    }),
  }
}

async function* readMessages(output: Readable, onNoise: (line: string) => void): AsyncGenerator<AnyMessage> {
  const decoder = new StringDecoder()
  let rest = ''
  for await (const chunk of output) {
    const lines = (rest + decoder.write(chunk as Buffer)).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > longestMessage) {
      onNoise(rest)
      rest = ''
    }
    for (const line of lines) {
      const message = parsed(line)
      if (message !== undefined) yield message
      else if (line.trim() !== '') onNoise(line)
    }
  }
}

function parsed(line: string): AnyMessage | undefined {
  try {
    const message: unknown = JSON.parse(line)
    // what kind of message it is, its reader finds out
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as AnyMessage)
      : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
