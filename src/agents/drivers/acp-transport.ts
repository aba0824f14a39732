import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import type { Readable, Writable } from 'node:stream'
import { readMessages } from '../../platform/process/read-messages.ts'

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
