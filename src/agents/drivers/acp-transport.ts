import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { unless } from '../../errors/unless.ts'

/** Longer messages are not read: no answer of an agent needs it, and they fill the memory. In characters. */
const longestMessage = 16 * 1024 * 1024

/**
 * JSON messages, one a line, over a process's streams.
 * @param onNoise gets what the process prints between its messages.
 * @param isTaken takes a message away before the library reads it, and says whether it did.
 */
export function jsonMessages(
  input: Writable,
  output: Readable,
  onNoise: (lines: string) => void,
  isTaken: (message: AnyMessage) => boolean = () => false,
): Stream {
  return {
    readable: ReadableStream.from(readMessages(output, onNoise, isTaken)),
    writable: new WritableStream<AnyMessage>({
      write: (message) =>
        new Promise((resolve) => {
          // one that is gone is told by its exit
          input.write(`${JSON.stringify(message)}\n`, () => resolve())
        }),
    }),
  }
}

async function* readMessages(
  output: Readable,
  onNoise: (lines: string) => void,
  isTaken: (message: AnyMessage) => boolean,
): AsyncGenerator<AnyMessage> {
  const decoder = new StringDecoder()
  // a long message comes in many parts, which are put together once
  let parts: string[] = []
  let length = 0
  for await (const chunk of output) {
    const text = decoder.write(chunk as Buffer)
    parts.push(text)
    length += text.length
    if (text.includes('\n')) {
      const lines = parts.join('').split('\n')
      const rest = lines.pop() ?? ''
      parts = [rest]
      length = rest.length
      let noise: string[] = []
      const tellNoise = () => {
        if (noise.length > 0) onNoise(noise.join('\n'))
        noise = []
      }
      for (const line of lines) {
        const message = parsed(line)
        if (message === undefined) {
          if (line.trim() !== '') noise.push(line)
          continue
        }
        tellNoise()
        if (!isTaken(message)) yield message
      }
      tellNoise()
    }
    if (length > longestMessage) {
      onNoise(parts.join(''))
      parts = []
      length = 0
    }
  }
}

function parsed(line: string): AnyMessage | undefined {
  // to find out by an error costs a hundred times as much
  if (!line.trimStart().startsWith('{')) return undefined
  return unless(SyntaxError, () => {
    const message: unknown = JSON.parse(line)
    // what kind of message it is, its reader finds out
    return message as AnyMessage
  })
}
