import path from 'node:path'
import { disk } from '../platform/storage/disk.ts'
import type { World } from '../engine/step/world.ts'
import { workspaceLayout } from '../protocol/folder-layout.ts'
import type { FiledSignal, Mailbox } from '../records/signals/mailbox.ts'
import { isRecorded } from '../records/signals/missing-records.ts'
import { formerArchives } from './former-teams.ts'

/** A sender writes its record after the delivery: so long it may be on its way, in milliseconds. */
const recordingMs = 5000

/** What people are told of such signals. */
export const unrecordedWords = 'unrecorded: no outbox holds it, so it may be from somebody else than it says'

/**
 * Whether a signal that lies in an inbox has no record in its sender's outbox, nor in that of a team that was
 * offboarded. It is a signal all the same (spec §4.3): whoever may write an inbox can have put it there.
 */
export function isUnrecorded(
  federation: Pick<World, 'root' | 'mailboxOf'>,
  { inbox }: Mailbox,
  signal: FiledSignal,
): boolean {
  const sender = federation.mailboxOf(signal.from)
  if (sender !== undefined && isRecorded(sender, signal)) return false
  const former = formerArchives(federation.root, signal.from).map((archive) => workspaceLayout(archive))
  if (former.some((outboxes) => isRecorded(outboxes, signal))) return false
  const age = disk.age(path.join(inbox, signal.file)) ?? Infinity
  // one that is to come was set by hand
  return age < 0 || age >= recordingMs
}
