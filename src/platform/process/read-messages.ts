import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { unless } from '../../errors/unless.ts'

/** Longer messages are not read: nobody needs them, and they fill the memory. In characters. */
const longestMessage = 16 * 1024 * 1024

/**
 * JSON objects, one a line, that another program writes.
 * @param onNoise gets what else stands there, some lines at once, and what is too long, of which all but the beginning
 * is the rest.
 * @param isTaken takes a message away before the reader gets it, and says whether it did.
 */
export async function* readMessages<Message extends object = object>(
  output: Readable,
  onNoise: (lines: string, isRest: boolean) => void,
  isTaken: (message: Message) => boolean = () => false,
): AsyncGenerator<Message> {
  const decoder = new StringDecoder()
  // a long message comes in many parts, which are put together once
  let parts: string[] = []
  let length = 0
  let isRest = false
  for await (const chunk of output) {
    const text = decoder.write(chunk as Buffer)
    parts.push(text)
    length += text.length
    if (text.includes('\n')) {
      const lines = parts.join('').split('\n')
      const rest = lines.pop() ?? ''
      parts = [rest]
      length = rest.length
      if (isRest) onNoise(lines.shift() ?? '', true)
      isRest = false
      let noise: string[] = []
      const tellNoise = () => {
        if (noise.length > 0) onNoise(noise.join('\n'), false)
        noise = []
      }
      for (const line of lines) {
        const message = parsed(line) as Message | undefined
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
      onNoise(parts.join(''), isRest)
      isRest = true
      parts = []
      length = 0
    }
  }
}

function parsed(line: string): object | undefined {
  // to find out by an error costs a hundred times as much
  if (!line.trimStart().startsWith('{')) return undefined
  return unless(SyntaxError, () => {
    // what kind of message it is, its reader finds out
    return JSON.parse(line) as object
  })
}
