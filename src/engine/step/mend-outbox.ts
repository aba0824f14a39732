import path from 'node:path'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { disk } from '../../platform/storage/disk.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { compactTimestamp } from '../../protocol/event-name.ts'
import { presentMs } from '../../protocol/clock.ts'
import { META } from '../../protocol/team-id.ts'
import { repairOutbox } from '../../records/signals/deliver.ts'
import type { Mailbox } from '../../records/signals/mailbox.ts'
import { isSignalName, readSignalFile } from '../../records/signals/signal-file.ts'
import { unrecorded, writeRecord } from '../../records/signals/missing-records.ts'
import type { World } from './world.ts'

/** A power cut takes what was written so long before it at most, in milliseconds. */
const unwrittenMs = 60_000

type Outboxes = Pick<World, 'registry' | 'mailboxOf'>

/** Outboxes in which this process has looked for what is missing: while it runs, no power cut takes anything. */
const looked = new WeakSet<Mailbox>()

/**
 * Brings a sender's outbox up to what was delivered: finishes what killed senders left there, and writes the records
 * that a power cut took. Inboxes are looked into once in a process, and only where no record is as young as the
 * team's last activity in the registry, which is on the disk before anybody is told that something was sent.
 * @returns false when something was left that may still be under way.
 */
export function mendOutbox(world: Outboxes, mailbox: Mailbox): boolean {
  const isKnown = looked.has(mailbox)
  looked.add(mailbox)
  const mailboxOf = (address: string) => world.mailboxOf(address)
  return repairOutbox(mailbox, mailboxOf, (names) => {
    // it is only a record: nobody's command fails for it
    if (!isKnown) unless([isSystemError, FedError], () => writeLost(world, mailbox, names))
  })
}

/** The same before a sender sends for the first time in this process: afterwards its records are the youngest. */
export function mendBeforeSending(world: Outboxes, sender: Mailbox): void {
  // where the outbox cannot be looked into, whoever sends says so
  if (!looked.has(sender)) unless([isSystemError, FedError], () => void mendOutbox(world, sender))
}

function writeLost(world: Outboxes, sender: Mailbox, names: readonly string[]): void {
  const { teams } = world.registry.read()
  const { lastActive, onboardedAt } = teams.find(({ domainId }) => domainId === sender.address) ?? {}
  if (lastActive === undefined || onboardedAt === undefined) return
  const active = Date.parse(lastActive)
  const second = compactTimestamp(lastActive)
  const isYoung = (name: string) => {
    if (name < second || !isSignalName(name)) return false
    if (!name.startsWith(second)) return true
    const reading = readSignalFile(path.join(sender.outbox, name))
    return reading.kind === 'signal' && Date.parse(reading.signal.timestamp) >= active
  }
  if (names.some(isYoung)) return
  const longest = presentMs() - active + unwrittenMs
  const inboxes = [META, ...teams.map(({ domainId }) => domainId)].flatMap(
    (address) => world.mailboxOf(address) ?? [],
  )
  for (const { signal } of unrecorded([sender], inboxes, (file) => (disk.age(file) ?? Infinity) <= longest)) {
    // an earlier team of that name may have sent it
    if (Date.parse(signal.timestamp) >= Date.parse(onboardedAt)) writeRecord(sender.outbox, signal)
  }
}
