import path from 'node:path'
import { fileNamesOf } from '../../protocol/event-name.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { createOnce, disk } from '../../platform/storage/disk.ts'
import type { Mailbox } from './mailbox.ts'
import { isSignalName, readSignalFile } from './signal-file.ts'

/** A delivered signal, and its file in an inbox or archive. */
export interface Delivered {
  readonly signal: SignalMessage
  readonly file: string
}

/** Names of the signals in a folder. */
export function namesIn(dir: string): string[] {
  return disk.list(dir).filter(isSignalName)
}

/**
 * Signals of these senders that lie in an inbox and have no record in their sender's outbox. Of the inboxes only
 * what has no record of the same name is read.
 * @param isMeant says of a file in an inbox whether it is looked into.
 */
export function unrecorded(
  senders: readonly Mailbox[],
  inboxes: readonly Mailbox[],
  isMeant: (file: string) => boolean,
): Delivered[] {
  const names = new Set(senders.flatMap(({ outbox }) => namesIn(outbox)))
  return inboxes.flatMap(({ inbox, address }) =>
    namesIn(inbox).flatMap((name): Delivered[] => {
      const file = path.join(inbox, name)
      if (names.has(name) || !isMeant(file)) return []
      const reading = readSignalFile(file)
      if (reading.kind !== 'signal' || reading.signal.to !== address) return []
      const { signal } = reading
      const sender = senders.find((mailbox) => mailbox.address === signal.from)
      return sender === undefined || isRecorded(sender, signal) ? [] : [{ signal, file }]
    }),
  )
}

export function isRecorded({ outbox }: Pick<Mailbox, 'outbox'>, signal: SignalMessage): boolean {
  return fileNamesOf(signal).some((name) => isSame(path.join(outbox, name), signal))
}

/** Whether a file holds this very signal, whether it was acknowledged or not. */
function isSame(file: string, signal: SignalMessage): boolean {
  const reading = readSignalFile(file)
  return reading.kind === 'signal' && sentFields.every((field) => reading.signal[field] === signal[field])
}

const sentFields = ['id', 'timestamp', 'from', 'to', 'type', 'subject', 'body'] as const

/** Writes the record of a signal under the first of its names that is free; false where it stands already. */
export function writeRecord(outbox: string, signal: SignalMessage): boolean {
  const text = `${JSON.stringify(signal, null, 2)}\n`
  for (const name of fileNamesOf(signal)) {
    const file = path.join(outbox, name)
    if (createOnce(file, text)) return true
    if (isSame(file, signal)) return false
  }
  return false
}
