import * as z from 'zod/mini'
import { CorruptDocumentError } from '../../errors/document-errors.ts'
import { FedError } from '../../errors/fed-error.ts'
import { unless } from '../../errors/unless.ts'
import { bootId } from '../../platform/process/boot.ts'
import { disk, replaceFile, WRITABLE } from '../../platform/storage/disk.ts'
import { isSystemError } from '../../platform/storage/system-error.ts'
import { presentMs } from '../../protocol/clock.ts'
import { federationLayout } from '../../protocol/folder-layout.ts'
import { ownFormat } from '../../protocol/own-format.ts'
import { META } from '../../protocol/team-id.ts'
import { repairOutbox } from '../../records/signals/deliver.ts'
import type { Mailbox } from '../../records/signals/mailbox.ts'
import { unrecorded, writeRecord } from '../../records/signals/missing-records.ts'
import type { World } from './world.ts'

/** A power cut takes what was written so long before it at most, in milliseconds. */
const unwrittenMs = 60_000

type Outboxes = Pick<World, 'root' | 'registry' | 'mailboxOf'>

const bootFormat = ownFormat('fed-boot-1', z.strictObject({ id: z.string() }))

/** Federations and outboxes that this process has looked through: while it runs, no power cut takes anything. */
const looked = new Set<string>()

/**
 * Brings a sender's outbox up to what was delivered: finishes what killed senders left there, and writes the records
 * that a power cut took, of all senders. For those the inboxes are looked into once in a run of the machine.
 * @returns false when something was left that may still be under way.
 */
export function mendOutbox(world: Outboxes, mailbox: Mailbox): boolean {
  looked.add(mailbox.outbox)
  if (!looked.has(world.root)) {
    looked.add(world.root)
    // it is only records: nobody's command fails for them
    unless([isSystemError, FedError], () => mendAfterBoot(world))
  }
  return repairOutbox(mailbox, (address) => world.mailboxOf(address))
}

/** The same before a sender sends for the first time in this process. */
export function mendBeforeSending(world: Outboxes, sender: Mailbox): void {
  // where the outbox cannot be looked into, whoever sends says so
  if (!looked.has(sender.outbox)) unless([isSystemError, FedError], () => void mendOutbox(world, sender))
}

function mendAfterBoot(world: Outboxes): void {
  const { boot, fed } = federationLayout(world.root)
  const id = bootId()
  if (id !== undefined && id === lookedIn(boot)) return
  writeLost(world)
  if (id !== undefined)
    replaceFile(boot, bootFormat.textOf({ id }), fed, { mode: WRITABLE, isDurable: false })
}

/**
 * In which run of the machine the outboxes were looked through last; undefined where nobody can say.
 * @throws {NewerFormatError}
 */
export function lookedIn(file: string): string | undefined {
  const text = unless([isSystemError, CorruptDocumentError], () => disk.read(file))
  const json = text === undefined ? undefined : unless(SyntaxError, () => JSON.parse(text) as unknown)
  return bootFormat.decodeOrNothing(json, file)?.id
}

function writeLost(world: Outboxes): void {
  const { teams } = world.registry.read()
  const mailboxesOf = (addresses: readonly string[]) =>
    addresses.flatMap((address) => world.mailboxOf(address) ?? [])
  const ids = teams.map(({ domainId }) => domainId)
  const teamOf = new Map(teams.map((team) => [team.domainId, team]))
  for (const { signal, file } of unrecorded(mailboxesOf(ids), mailboxesOf([META, ...ids]), () => true)) {
    const { lastActive, onboardedAt } = teamOf.get(signal.from) ?? {}
    const sender = world.mailboxOf(signal.from)
    if (lastActive === undefined || onboardedAt === undefined || sender === undefined) continue
    // what was gone before the team did its last was taken by somebody
    const isOld = (disk.age(file) ?? Infinity) > presentMs() - Date.parse(lastActive) + unwrittenMs
    // an earlier team of that name may have sent it
    if (!isOld && Date.parse(signal.timestamp) >= Date.parse(onboardedAt)) writeRecord(sender.outbox, signal)
  }
}
