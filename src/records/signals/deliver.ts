import path from 'node:path'
import { unless } from '../../errors/unless.ts'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { FedError, NotDoneError, UnfinishedError } from '../../errors/fed-error.ts'
import { fileNamesOf } from '../../protocol/event-name.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { createAll, disk } from '../../platform/storage/disk.ts'
import { hasCode, isSystemError } from '../../platform/storage/system-error.ts'
import { LastChange } from '../../platform/storage/last-change.ts'
import { archivedFile, monthFolder } from './archive-months.ts'
import { decodeSignal } from './decode.ts'
import type { FiledSignal, Mailbox } from './mailbox.ts'
import { readSignalFile } from './signal-file.ts'
import { authorOf, temporaryIn } from '../../platform/storage/temporary.ts'

/** A signal on its way from the sender's mailbox to the recipient's. */
export interface Dispatch {
  readonly signal: SignalMessage
  readonly from: Mailbox
  readonly to: Mailbox
  /** Whether its id was made just now: then it cannot have been delivered before, and nobody looks for it. */
  readonly isNew?: boolean
}

interface Prepared extends Dispatch {
  readonly text: string
  /** Where it is written first, in the sender's outbox. */
  readonly temporary: string
  readonly names: readonly string[]
}

function prepare(dispatch: Dispatch): Prepared {
  const { signal, from } = dispatch
  return {
    ...dispatch,
    text: `${JSON.stringify(signal, null, 2)}\n`,
    temporary: temporaryIn(from.outbox),
    names: fileNamesOf(signal),
  }
}

/** Whether the file of that name is this very signal; what cannot be read is not. */
function holds(file: string, id: string): boolean {
  return (
    unless(CorruptDocumentError, () => {
      const text = disk.read(file)
      // most often it is not, which needs no parsing
      return text !== undefined && text.includes(id) && decodeSignal(text).signal?.id === id
    }) ?? false
  )
}

/** Gives the signal its name in a folder; a name that another signal has is never taken from it. */
function linkNamed(
  temporary: string,
  dir: string,
  { id }: SignalMessage,
  names: readonly string[],
  isFree: (name: string) => boolean = () => true,
): { readonly name: string; readonly isNew: boolean } {
  for (const name of names) {
    if (!isFree(name)) continue
    const file = path.join(dir, name)
    const isNew = disk.link(temporary, file)
    if (isNew || holds(file, id)) return { name, isNew }
  }
  throw new FedError(`every name for signal ${id} in ${dir} is taken by other signals`)
}

/**
 * Gives the signal its name in an inbox. A name that a signal had which was archived since stays taken, and so
 * does one that is acknowledged already: an acknowledgment goes by name, and may come late.
 */
function linkInto({ to, signal, names, isNew: isFirst }: Prepared, temporary: string): string {
  const archive = monthFolder(to.workspace, signal)
  const isFree = (name: string) => {
    if (archive !== undefined && disk.exists(path.join(archive, name))) return false
    const file = path.join(to.inbox, name)
    return !disk.exists(`${file}.ack`) || disk.exists(file)
  }
  const { name, isNew } = linkNamed(temporary, to.inbox, signal, names, isFree)
  // it may have been archived since the look, which left its name free
  if (isNew && !isFirst && archivedFile(to.workspace, signal) !== undefined) {
    disk.unlink(path.join(to.inbox, name))
  }
  return name
}

function deliver(prepared: Prepared, isFirst = true): string {
  const { temporary, text, signal, to, isNew } = prepared
  const archived = isNew ? undefined : archivedFile(to.workspace, signal)
  if (archived !== undefined) return path.basename(archived)
  try {
    return linkInto(prepared, temporary)
  } catch (error) {
    if (hasCode(error, 'ENOENT') && isFirst && disk.exists(to.inbox)) {
      // its sender was taken for dead, by somebody who cannot see this process: another container, say
      disk.create(temporary, text)
      return deliver(prepared, false)
    }
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) {
      throw new FedError(`${signal.to} has no inbox: ${to.inbox} is no folder`, { cause: error })
    }
    if (!hasCode(error, 'EXDEV')) throw error
    // another device: a copy there, made in the recipient's outbox because nothing temporary may be in an inbox
    const copy = path.join(to.outbox, path.basename(temporary))
    disk.create(copy, text)
    try {
      return linkInto(prepared, copy)
    } finally {
      disk.unlink(copy)
    }
  }
}

/**
 * Delivers signals (spec §4.3): each into its recipient's inbox and, as a record, into its sender's outbox.
 * A signal appears whole or not at all, under a name that nobody overwrites; delivering the same signal again
 * changes nothing. When this resolves all are durable, with one round for all of them.
 * @returns the signals as filed in the recipients' inboxes, in the given order.
 * @throws {FedError} when a recipient has no inbox; those before it were delivered. {NotDoneError} when nothing was
 * delivered; {UnfinishedError} when something was.
 */
export async function deliverAll(dispatches: readonly Dispatch[]): Promise<FiledSignal[]> {
  const prepared = dispatches.map(prepare)
  const filed: FiledSignal[] = []
  try {
    await createAll(prepared.map(({ temporary, text }) => ({ file: temporary, text })))
    for (const one of prepared) filed.push({ ...one.signal, file: deliver(one) })
    for (const inbox of new Set(prepared.map(({ to }) => to.inbox))) disk.syncDirectory(inbox)
    return filed
  } catch (error) {
    for (const { temporary } of prepared.slice(filed.length)) disk.unlink(temporary)
    if (!isSystemError(error)) throw error
    if (filed.length === 0) throw new NotDoneError('nothing was sent', error)
    const isAll = filed.length === prepared.length
    throw new UnfinishedError(
      isAll ? `it was sent` : `${filed.length} of ${prepared.length} signals were sent`,
      isAll ? 'it need not be sent again' : 'only the others need to be sent again',
      error,
    )
  } finally {
    for (const [index, { file }] of filed.entries()) record(prepared[index] as Prepared, file)
  }
}

/**
 * Writes the sender's record of a delivered signal. It needs no sync of its own: a power cut leaves it or the
 * temporary name, from which it is repaired, and so does a full disk.
 * @param file its name in the inbox: where it is free, the record has the same.
 */
function record(prepared: Prepared, file: string): void {
  // delivered it is: nobody may be told otherwise
  unless([isSystemError, FedError], () => nameRecord(prepared, file))
}

function nameRecord(prepared: Prepared, file: string, isFirst = true): void {
  const { temporary, text, from, signal, names } = prepared
  try {
    linkNamed(temporary, from.outbox, signal, [...new Set([file, ...names])])
    disk.unlink(temporary)
  } catch (error) {
    if (!isFirst || !hasCode(error, 'ENOENT')) throw error
    // swept by somebody who cannot see this process: another container, say
    disk.create(temporary, text)
    nameRecord(prepared, file, false)
  }
}

/** Outboxes that were looked through already, and whether nothing was left in them. */
const outboxes = new WeakMap<Mailbox, { readonly change: LastChange; isClean: boolean }>()

/**
 * Finishes what senders that were killed left in their outbox: a signal that reached its recipient gets its
 * record, one that did not was never promised to anybody and goes.
 * @returns false when something was left that may still be under way.
 */
export function repairOutbox(mailbox: Mailbox, mailboxOf: (address: string) => Mailbox | undefined): boolean {
  const known = outboxes.get(mailbox) ?? { change: new LastChange(mailbox.outbox), isClean: false }
  outboxes.set(mailbox, known)
  if (known.change.happened() || !known.isClean) {
    known.isClean = finishLeftovers(disk.list(mailbox.outbox), mailbox, mailboxOf)
  }
  return known.isClean
}

/** Whether a signal has reached its recipient, also when it was archived since. */
export function isDelivered(signal: SignalMessage, { inbox, workspace }: Mailbox): boolean {
  return (
    fileNamesOf(signal).some((file) => holds(path.join(inbox, file), signal.id)) ||
    archivedFile(workspace, signal) !== undefined
  )
}

function finishLeftovers(
  names: readonly string[],
  mailbox: Mailbox,
  mailboxOf: (address: string) => Mailbox | undefined,
): boolean {
  let isClean = true
  for (const name of names) {
    const author = authorOf(name)
    if (author === 'dead')
      isClean = finishLeftover(path.join(mailbox.outbox, name), mailbox, mailboxOf) && isClean
    else if (author === 'running') isClean = false
  }
  return isClean
}

/** @returns false when it must wait: its recipient's inbox cannot be looked into now. */
function finishLeftover(
  leftover: string,
  mailbox: Mailbox,
  mailboxOf: (address: string) => Mailbox | undefined,
): boolean {
  const reading = readSignalFile(leftover)
  const signal = reading.kind === 'signal' ? reading.signal : undefined
  const recipient = signal === undefined ? undefined : mailboxOf(signal.to)
  // somebody else finished it at this moment, or it is no file of ours: no reason to stop a team
  return (
    unless([isSystemError, FedError], () => {
      if (signal !== undefined && recipient !== undefined) {
        // a workspace may be away for a while: an unmounted disk, a folder that was moved
        if (!recipient.isThere()) return false
        if (isDelivered(signal, recipient)) linkNamed(leftover, mailbox.outbox, signal, fileNamesOf(signal))
      }
      disk.unlink(leftover)
      return true
    }) ?? !disk.exists(leftover)
  )
}
