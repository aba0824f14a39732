// The channel of the chat's test programs: a file of JSON lines in a folder, and beside it the notes of what was asked.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

export function channelIn(folder) {
  const file = path.join(folder, 'channel.jsonl')
  const messages = () =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
      : []
  return {
    messages,
    /** Appends what the product says; returns the message's id, which begins with `prefix`. */
    post(prefix, thread, text) {
      const id = `${prefix}-${messages().length + 1}`
      const message = {
        id,
        thread: thread ?? id,
        sender: 'bot@example.org',
        at: new Date().toISOString(),
        text,
      }
      appendFileSync(file, `${JSON.stringify(message)}\n`)
      return id
    },
    note: (kind, more) =>
      appendFileSync(
        path.join(folder, 'notes.jsonl'),
        `${JSON.stringify({ kind, pid: process.pid, ...more })}\n`,
      ),
  }
}
