import { DeliverPolicy, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream'
import { asDown, type Link } from './connection.ts'
import type { View } from './line-view.ts'

/** So many messages may wait to be taken in. */
const mostWaiting = 2000

/** Reads the stream from where a view was left; what arrives waits to be taken in. */
export class MessageReader {
  readonly #link: Link
  readonly #messages: ConsumerMessages
  readonly #rouse: () => void
  #waiting: JsMsg[] = []
  /** Number of the last message that came, and what it and the stream's last were at the look before. */
  #received: number
  #before = { received: -1, last: 0 }
  /** Whether it ended by itself, and what is to be read is to be read anew. */
  isOver = false
  /** Whether everything that the servers had was taken in once. */
  isCaughtUp: boolean

  private constructor(
    link: Link,
    messages: ConsumerMessages,
    {
      rouse,
      sequence,
      last,
    }: { readonly rouse: () => void; readonly sequence: number; readonly last: number },
  ) {
    this.#link = link
    this.#messages = messages
    this.#rouse = rouse
    this.#received = sequence
    this.isCaughtUp = last <= sequence
    void this.#collect()
    void this.#endAtReconnection()
  }

  /**
   * Begins to read; a view of another stream forgets it.
   * @param rouse is called when something came, and when reading ended.
   */
  static async begin(link: Link, view: View, rouse: () => void): Promise<MessageReader> {
    const { stream } = link.names
    const { state } = await link.manager.streams.info(stream)
    if (state.last_seq < view.sequence || !(await isSameStream(link, view))) view.forget()
    const { sequence } = view
    const consumer = await link.js.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: sequence + 1,
    })
    const messages = await consumer.consume({ max_messages: 500, idle_heartbeat: 2000 })
    return new MessageReader(link, messages, { rouse, sequence, last: state.last_seq })
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** So many of the messages that wait, at most; they stay until they are `done`. */
  next(count: number): readonly JsMsg[] {
    return this.#waiting.slice(0, count)
  }

  /** Notes that messages were taken in. */
  done(messages: readonly JsMsg[]): void {
    this.#waiting.splice(0, messages.length)
    if (messages.at(-1)?.info.pending === 0) this.isCaughtUp = true
  }

  /**
   * Ends where the servers had more at the look before and nothing came since: a reader is gone with the node that had it.
   * @throws {LinkDownError}
   */
  async check(): Promise<void> {
    const { stream } = this.#link.names
    const { state } = await this.#link.manager.streams.info(stream).catch((error: unknown) => {
      throw asDown(error)
    })
    const { received, last } = this.#before
    this.#before = { received: this.#received, last: state.last_seq }
    if (last > this.#received && received === this.#received) this.stop()
  }

  stop(): void {
    this.isOver = true
    this.#waiting = []
    this.#messages.stop()
  }

  async #collect(): Promise<void> {
    try {
      for await (const message of this.#messages) {
        this.#waiting.push(message)
        this.#received = message.seq
        this.#rouse()
        while (this.#waiting.length > mostWaiting) await new Promise((resolve) => setTimeout(resolve, 5))
      }
    } catch {
      // the connection is gone: the next one reads on
    }
    this.isOver = true
    this.#rouse()
  }

  /** A node that comes back may have lost the end of the stream: it is looked at as at the beginning. */
  async #endAtReconnection(): Promise<void> {
    for await (const { type } of this.#link.connection.status()) {
      if (this.isOver) return
      if (type !== 'reconnect') continue
      this.stop()
      return
    }
  }
}

/** Whether the last message that was read is there as it was: a disk may have lost it, and others taken its number. */
async function isSameStream({ manager, names }: Link, { sequence, takenAt }: View): Promise<boolean> {
  if (takenAt === undefined) return true
  const message = await manager.streams.getMessage(names.stream, { seq: sequence })
  return message?.time.getTime() === takenAt
}
