import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream'
import { answerMs, asDown, LinkDownError, type Link } from './connection.ts'
import { lineFormat, type LineEntry } from './line-entry.ts'

/**
 * All messages of some subjects that the stream has now, in its order; or the last of each subject.
 * @throws {LinkDownError} also where nothing more comes: what was on its way when a connection broke is not sent again.
 */
export async function messagesOf(
  link: Link,
  filter: string,
  which: 'all' | 'last' = 'all',
): Promise<JsMsg[]> {
  try {
    const consumer = await link.js.consumers.get(link.names.stream, {
      filter_subjects: filter,
      deliver_policy: which === 'all' ? DeliverPolicy.All : DeliverPolicy.LastPerSubject,
    })
    const { num_pending: count } = await consumer.info()
    const read: JsMsg[] = []
    if (count === 0) return read
    const messages = await consumer.consume()
    const patience = setTimeout(() => messages.stop(), answerMs)
    try {
      for await (const message of messages) {
        patience.refresh()
        read.push(message)
        if (message.info.pending === 0) return read
      }
    } finally {
      clearTimeout(patience)
    }
    throw new LinkDownError(`the servers sent ${read.length} of ${count} messages`)
  } catch (error) {
    throw asDown(error)
  }
}

/**
 * A team's line, from its very beginning.
 * @throws {LinkDownError | CorruptDocumentError}
 */
export async function wholeLineOf(
  link: Link,
  team: string,
): Promise<{ readonly sequence: number; readonly entry: LineEntry }[]> {
  const messages = await messagesOf(link, link.names.line(team))
  return messages.map((message) => ({
    sequence: message.seq,
    entry: lineFormat.decode(message.json(), message.subject),
  }))
}

/**
 * A team's line, from where its present life began.
 * @throws {LinkDownError | CorruptDocumentError}
 */
export async function lineOf(
  link: Link,
  team: string,
): Promise<{ readonly sequence: number; readonly entry: LineEntry }[]> {
  const line = await wholeLineOf(link, team)
  return line.slice(line.findLastIndex(({ entry }) => entry.kind === 'gone') + 1)
}
