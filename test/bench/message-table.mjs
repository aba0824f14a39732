// A table of messages in SQLite, as somebody would build a mailbox on it.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { rivalPackage } from './rivals.mjs'

/** @param synchronous FULL survives a power cut, NORMAL the death of the process. */
export async function openMessages(dir, synchronous) {
  const Database = await rivalPackage('better-sqlite3')
  const database = new Database(path.join(dir, 'messages.db'), { timeout: 60_000 })
  database.pragma('journal_mode = WAL')
  database.pragma(`synchronous = ${synchronous}`)
  database.exec(`
    CREATE TABLE IF NOT EXISTS message (
      id TEXT PRIMARY KEY, sender TEXT NOT NULL, recipient TEXT NOT NULL, timestamp TEXT NOT NULL,
      type TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL, acknowledged_at TEXT
    ) STRICT;
    CREATE INDEX IF NOT EXISTS waiting ON message (recipient, acknowledged_at);
  `)
  const insert = database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?, ?, ?, NULL)')
  const select = database.prepare(
    'SELECT * FROM message WHERE recipient = ? AND acknowledged_at IS NULL ORDER BY timestamp, id',
  )
  const update = database.prepare('UPDATE message SET acknowledged_at = ? WHERE id = ?')
  return {
    send({ from, to, type, subject, body }) {
      insert.run(randomUUID(), from, to, new Date().toISOString(), type, subject, body)
    },
    unacknowledged: (recipient) => select.all(recipient),
    acknowledge: database.transaction((messages) => {
      const at = new Date().toISOString()
      for (const { id } of messages) update.run(at, id)
    }),
  }
}
