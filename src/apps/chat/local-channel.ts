import { statSync } from 'node:fs'
import path from 'node:path'
import { v4 as uuid } from 'uuid'
import * as z from 'zod/mini'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { now, timestampSchema } from '../../protocol/time.ts'
import { directoryHints } from '../../records/signals/watch.ts'
import { appendLine, readNumberedLines } from '../../platform/storage/append-log.ts'
import { makeFolders } from '../../platform/storage/without-links.ts'
import type { Channel, ChatMessage, Post, Reading } from './channel.ts'

/** The key of the channel that is a file. */
export const LOCAL = 'local'

/** A line of the channel. */
const format = ownFormat(
  'fed-chat-message-1',
  z.strictObject({
    id: z.string().check(z.minLength(1)),
    thread: z.string().check(z.minLength(1)),
    sender: z.string().check(z.minLength(1)),
    at: timestampSchema,
    text: z.string(),
  }),
)

interface LocalMessage {
  readonly line: number
  readonly message: ChatMessage
}

interface LocalContent {
  readonly messages: readonly LocalMessage[]
  readonly damaged: readonly number[]
}

function contentOf(file: string): LocalContent {
  const { entries, bad } = readNumberedLines(file)
  const messages: LocalMessage[] = []
  const damaged = bad.map(({ line }) => line)
  for (const { line, value } of entries) {
    const message = format.decodeOrNothing(value, file)
    if (message !== undefined) messages.push({ line, message })
    else damaged.push(line)
  }
  return { messages, damaged: damaged.toSorted((a, b) => a - b) }
}

/** Changes with every line that is appended; undefined where there is no file. */
function stampOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`
}

/** A channel as a file, `.fed/chat/messages.jsonl`: for a machine without a chat product, and for tests. */
export class LocalChannel implements Channel {
  readonly key = LOCAL
  readonly isCostly: boolean = false
  readonly file: string
  readonly #dir: string
  /** Who the bridge is called. */
  readonly #name: string
  /** What was read last: it is not parsed again as long as the file is the same. */
  #known: { readonly stamp: string | undefined; readonly content: LocalContent } | undefined

  constructor(root: string, name: string) {
    this.#dir = federationLayout(root).chat
    this.#name = name
    this.file = path.join(this.#dir, 'messages.jsonl')
  }

  get words(): string {
    return `the local channel, ${this.file}`
  }

  /** Appends what a person says. */
  say(sender: string, text: string, thread?: string): ChatMessage {
    const id = uuid()
    return this.#append({ id, thread: thread ?? id, sender, at: now(), text })
  }

  /** Every message, in the order in which they were said, with the line of each; damaged lines are left out. */
  messages(): readonly LocalMessage[] {
    return this.content().messages
  }

  /**
   * The same, and the numbers of the lines that are no messages.
   * @throws {CorruptDocumentError | NewerFormatError} when the file cannot be read at all.
   */
  content(): LocalContent {
    const stamp = stampOf(this.file)
    if (this.#known === undefined || stamp === undefined || this.#known.stamp !== stamp) {
      this.#known = { stamp, content: contentOf(this.file) }
    }
    return this.#known.content
  }

  /** A place is the number of a line and the message that stands on it. */
  async read(place: string | undefined): Promise<Reading> {
    const all = this.messages()
    const [, line = '0', id = ''] = /^(\d+) (.*)$/s.exec(place ?? '') ?? []
    // lines that somebody removed move the others
    const at = all.findLastIndex(({ message }) => message.id === id)
    const later = at >= 0 ? all.slice(at + 1) : all.filter((one) => one.line > Number(line))
    const heard = later.map(({ line: number, message }) => ({ message, place: `${number} ${message.id}` }))
    return { heard, place: heard.at(-1)?.place ?? place ?? '0 ' }
  }

  async post({ id, thread, text }: Post): Promise<string> {
    // a look costs next to nothing here
    const isThere = this.messages().some(({ message }) => message.id === id)
    if (!isThere) this.#append({ id, thread: thread ?? id, sender: this.#name, at: now(), text })
    return id
  }

  watch(hear: () => void): () => void {
    makeFolders(this.#dir)
    const hints = directoryHints(this.#dir, hear)
    return () => hints?.close()
  }

  async close(): Promise<void> {}

  #append(message: ChatMessage): ChatMessage {
    makeFolders(this.#dir)
    appendLine(this.file, format.stamp(message))
    return message
  }
}
