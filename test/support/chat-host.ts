import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { agent, newFolder } from './fed.ts'

export interface HostMessage {
  readonly id: string
  readonly thread: string
  readonly sender: string
  readonly at: string
  readonly text: string
}

interface Note {
  readonly kind: string
  readonly pid: number
  readonly text?: string
  readonly sessionId?: string
  readonly title?: string
  readonly answer?: string
  /** When it was noted, in milliseconds since 1970. */
  readonly at?: number
}

/** A channel that a scripted agent host reads and writes. */
export class HostedChannel {
  readonly folder = newFolder('chat-host')
  #count = 0

  /** The agent's command line. */
  command(...behaviours: string[]): string {
    return agent('chat-host', this.folder, ...behaviours)
  }

  /** @param ago milliseconds since it was said. */
  say(text: string, sender = 'ann@example.org', ago = 0, thread?: string): HostMessage {
    this.#count += 1
    const id = `said-${this.#count}`
    const at = new Date(Date.now() - ago).toISOString()
    const message = { id, thread: thread ?? id, sender, at, text }
    appendFileSync(path.join(this.folder, 'channel.jsonl'), `${JSON.stringify(message)}\n`)
    return message
  }

  /** The host knows the message no more. */
  forget({ id }: HostMessage): void {
    appendFileSync(path.join(this.folder, 'forgotten'), `${id}\n`)
  }

  answersTo({ id }: HostMessage): string[] {
    return this.messages().flatMap((one) => (one.thread === id && one.id !== id ? [one.text] : []))
  }

  messages(): HostMessage[] {
    return this.#lines<HostMessage>('channel.jsonl')
  }

  notes(kind: string): Note[] {
    return this.#lines<Note>('notes.jsonl').filter((note) => note.kind === kind)
  }

  #lines<Line>(name: string): Line[] {
    const file = path.join(this.folder, name)
    if (!existsSync(file)) return []
    // whole lines only: a host may be writing the next
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    return lines.map((line) => JSON.parse(line) as Line)
  }
}
