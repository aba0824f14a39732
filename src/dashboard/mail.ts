import type { FiledSignal, Mailbox } from '../signals/mailbox.ts'
import { isSignalName, readAcknowledgment, readSignalFile } from '../signals/signal-file.ts'
import { disk } from '../storage/disk.ts'
import path from 'node:path'
import type { ShownMail, ShownSignal } from './shown.ts'

/** So many of the newest signals are shown; `fed inbox --all` has the rest. */
const mostSignals = 300

/** A mailbox's signals, each read once: they never change, and an acknowledgment comes once. */
export class Mail {
  readonly #mailbox: Mailbox
  #known = new Map<string, ShownSignal>()

  constructor(mailbox: Mailbox) {
    this.#mailbox = mailbox
  }

  read(): ShownMail {
    const { inbox } = this.#mailbox
    const names = disk.list(inbox).toSorted()
    const acknowledged = new Set(names.filter((name) => name.endsWith('.ack')))
    const files = names.filter(isSignalName)
    const shown = files.slice(-mostSignals)
    const known = this.#known
    this.#known = new Map()
    for (const file of shown) {
      const before = known.get(file) ?? this.#readOne(file)
      if (before === undefined) continue
      const isNew = before.acknowledged === null && acknowledged.has(`${file}.ack`)
      this.#known.set(file, isNew ? { ...before, acknowledged: this.#acknowledgedAt(file) } : before)
    }
    return {
      signals: [...this.#known.values()].toSorted((a, b) => a.at - b.at),
      left: files.length - shown.length,
      quarantined: this.#mailbox.quarantined().map(({ file, reason }) => ({ file, reason })),
    }
  }

  /** A file that is no signal is left to whoever steps the team. */
  #readOne(file: string): ShownSignal | undefined {
    const reading = readSignalFile(path.join(this.#mailbox.inbox, file))
    return reading.kind === 'signal' ? shownSignal({ ...reading.signal, file }) : undefined
  }

  #acknowledgedAt(file: string): number {
    const { acknowledged_at: at } = readAcknowledgment(path.join(this.#mailbox.inbox, `${file}.ack`))
    return at === undefined ? Date.now() : Date.parse(at)
  }
}

function shownSignal(signal: FiledSignal): ShownSignal {
  const { id, file, timestamp, from, to, type, subject, body } = signal
  return { id, file, at: Date.parse(timestamp), from, to, type, subject, body, acknowledged: null }
}
