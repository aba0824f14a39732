import type { WireMessage } from '../../../engine/inspection/message.ts'
import { unless } from '../../../errors/unless.ts'
import { LineTail } from '../../../platform/storage/line-tail.ts'

/** The messages of a wire as they are added; a wire that was begun anew is read from its beginning. */
export class WireTail {
  readonly #lines: LineTail

  constructor(file: string) {
    this.#lines = new LineTail(file)
  }

  /** What was added since the last time. A line that is no message is passed over. */
  read(): WireMessage[] {
    return this.#lines.read().flatMap(messageIn)
  }
}

function messageIn(line: string): WireMessage[] {
  // what a full disk left of a line is no JSON
  const message = unless(SyntaxError, () => JSON.parse(line) as Partial<WireMessage> | null)
  const isMessage =
    typeof message?.type === 'string' &&
    typeof message.id === 'string' &&
    typeof message.fed?.team === 'string'
  return isMessage ? [message as WireMessage] : []
}
