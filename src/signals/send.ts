import path from 'node:path'
import { FedError } from '../errors.ts'
import { fileNamesOf } from '../protocol/event-name.ts'
import type { SignalMessage } from '../protocol/signal.ts'
import { identify } from '../process-identity.ts'
import { disk, hasCode } from '../storage/disk.ts'
import { decodeSignal } from './decode.ts'
import type { FiledSignal, Mailbox } from './mailbox.ts'
import { isSignalName } from './signal-file.ts'

/** A signal on its way from the sender's mailbox to the recipient's. */
export interface Dispatch {
  readonly signal: SignalMessage
  readonly from: Mailbox
  readonly to: Mailbox
}

const temporaryName = /^\.([0-9a-f-]{36})\.(\d+)\.tmp$/

function textOf(signal: SignalMessage): string {
  return `${JSON.stringify(signal, null, 2)}\n`
}

/** Whether the file of that name is this very signal. */
function holds(file: string, id: string): boolean {
  const text = disk.read(file)
  return text !== undefined && decodeSignal(text).signal?.id === id
}

/** Gives the signal its name in a folder; a name that another signal has is never taken from it. */
function linkNamed(temporary: string, dir: string, signal: SignalMessage): string {
  for (const name of fileNamesOf(signal)) {
    const file = path.join(dir, name)
    if (disk.link(temporary, file) || holds(file, signal.id)) return name
  }
  throw new FedError(`every name for signal ${signal.id} in ${dir} is taken by other signals`)
}

function deliver(temporary: string, { signal, to }: Dispatch): string {
  try {
    return linkNamed(temporary, to.inbox, signal)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      throw new FedError(`${signal.to} has no inbox: ${to.inbox} does not exist`, { cause: error })
    }
    if (!hasCode(error, 'EXDEV')) throw error
    // another device: a copy there, made in the recipient's outbox because nothing temporary may be in an inbox
    const copy = path.join(to.outbox, path.basename(temporary))
    disk.create(copy, textOf(signal))
    try {
      return linkNamed(copy, to.inbox, signal)
    } finally {
      disk.unlink(copy)
    }
  }
}

/**
 * Delivers signals (spec §4.3): each into its recipient's inbox and, as a record, into its sender's outbox.
 * A signal appears whole or not at all, under a name that nobody overwrites; delivering the same signal again
 * changes nothing. When this returns all are durable, with one round for all of them.
 * @returns the signals as filed in the recipients' inboxes, in the given order.
 */
export function deliverAll(dispatches: readonly Dispatch[]): FiledSignal[] {
  const prepared = dispatches.map((dispatch) => {
    const temporary = path.join(dispatch.from.outbox, `.${dispatch.signal.id}.${process.pid}.tmp`)
    disk.unlink(temporary)
    disk.create(temporary, textOf(dispatch.signal))
    return { ...dispatch, temporary }
  })
  const filed = prepared.map((one) => ({ ...one.signal, file: deliver(one.temporary, one) }))
  for (const inbox of new Set(prepared.map(({ to }) => to.inbox))) disk.syncDirectory(inbox)
  // the record needs no sync of its own: a power cut leaves it or the temporary name, from which it is repaired
  for (const { temporary, from, signal } of prepared) {
    linkNamed(temporary, from.outbox, signal)
    disk.unlink(temporary)
  }
  return filed
}

/**
 * Finishes what senders that were killed left in their outbox: a signal that reached its recipient gets its
 * record, one that did not was never promised to anybody and goes.
 */
export function repairOutbox(mailbox: Mailbox, mailboxOf: (address: string) => Mailbox | undefined): void {
  for (const name of disk.list(mailbox.outbox)) {
    if (isSignalName(name) || !name.endsWith('.tmp')) continue
    const pid = Number(temporaryName.exec(name)?.[2])
    if (!Number.isNaN(pid) && identify(pid) !== undefined) continue
    const leftover = path.join(mailbox.outbox, name)
    const age = disk.age(leftover)
    // an acknowledgment under way bears no process id: leave it a minute
    if (Number.isNaN(pid) && (age ?? 0) < 60_000) continue
    const signal = decodeSignal(disk.read(leftover) ?? '').signal
    const recipient = signal === undefined ? undefined : mailboxOf(signal.to)
    if (signal !== undefined && recipient !== undefined) {
      const delivered = fileNamesOf(signal).some((file) => holds(path.join(recipient.inbox, file), signal.id))
      if (delivered) linkNamed(leftover, mailbox.outbox, signal)
    }
    disk.unlink(leftover)
  }
}
