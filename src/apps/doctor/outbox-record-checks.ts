import path from 'node:path'
import { formerArchives } from '../../federation/former-teams.ts'
import { workspaceLayout } from '../../protocol/folder-layout.ts'
import type { SignalMessage } from '../../protocol/signal.ts'
import { archiveFolder, isMonth } from '../../records/signals/archive-months.ts'
import type { Mailbox } from '../../records/signals/mailbox.ts'
import {
  isRecorded,
  namesIn,
  unrecorded,
  writeRecord,
  type Delivered,
} from '../../records/signals/missing-records.ts'
import { readSignalFile } from '../../records/signals/signal-file.ts'
import { disk } from '../../platform/storage/disk.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import { putAside } from '../../monitor/diagnosis/kept-aside.ts'

/** Age from which a delivered signal must have its record, in milliseconds: it is written afterwards. */
const recordingMs = 60_000

/**
 * Records in outboxes that are torn, and those that are missing for signals that lie in an inbox. Each record is
 * read, of the inboxes only what has no record of the same name.
 */
export function recordFindings(root: string, mailboxes: readonly Mailbox[]): Found[] {
  return [...mailboxes.flatMap((mailbox) => torn(mailbox, mailboxes)), ...missing(root, mailboxes)]
}

function torn({ address, outbox }: Mailbox, mailboxes: readonly Mailbox[]): Found[] {
  return namesIn(outbox).flatMap((name): Found[] => {
    const file = path.join(outbox, name)
    const reading = readSignalFile(file)
    if (reading.kind !== 'fault') return []
    const message = `${address}: the record of a signal is torn: ${reading.fault}`
    const finding: Found = { severity: 'warning', where: file, message }
    const sent = deliveredAs(name, address, mailboxes)
    if (sent === undefined)
      return [
        {
          ...finding,
          fix: 'it can be put aside: no inbox and no archive holds what it recorded',
          repair: () => aside(file),
        },
      ]
    return [
      {
        ...finding,
        fix: `it can be written again from ${sent.file}, and this one is kept beside it`,
        repair() {
          const kept = putAside(file)
          writeRecord(outbox, sent.signal)
          return `written again from what was delivered; the torn one is kept as ${kept}`
        },
      },
    ]
  })
}

function aside(file: string): string {
  return `kept as ${putAside(file)}`
}

/** The delivered signal of that file name and sender, also from an archive; undefined where there is none. */
function deliveredAs(name: string, from: string, mailboxes: readonly Mailbox[]): Delivered | undefined {
  const month = name.slice(0, 'YYYY-MM'.length)
  for (const { inbox, workspace, address } of mailboxes) {
    const places = isMonth(month) ? [inbox, path.join(archiveFolder(workspace), month)] : [inbox]
    for (const file of places.map((dir) => path.join(dir, name))) {
      const reading = readSignalFile(file)
      if (reading.kind !== 'signal') continue
      if (reading.signal.from === from && reading.signal.to === address)
        return { signal: reading.signal, file }
    }
  }
  return undefined
}

function missing(root: string, mailboxes: readonly Mailbox[]): Found[] {
  const lost = new Map<string, Delivered[]>()
  const isOld = (file: string) => (disk.age(file) ?? 0) >= recordingMs
  for (const delivered of unrecorded(mailboxes, mailboxes, isOld)) {
    const { from } = delivered.signal
    if (!isOfFormer(root, delivered.signal)) lost.set(from, [...(lost.get(from) ?? []), delivered])
  }
  return [...lost].map(([address, all]) => {
    const { outbox } = mailboxes.find((mailbox) => mailbox.address === address) as Mailbox
    const what = all.length === 1 ? 'a signal that it sent has' : `${all.length} signals that it sent have`
    return {
      severity: 'note',
      where: (all[0] as Delivered).file,
      message: `${address}: ${what} no record in its outbox`,
      fix: 'it can be written from what was delivered',
      repair() {
        const written = all.filter(({ signal }) => writeRecord(outbox, signal))
        return written.length === 0 ? undefined : `${written.length} recorded in ${outbox}`
      },
    }
  })
}

/** Whether the record lies with an offboarded team of the sender's name: the present one never sent it. */
function isOfFormer(root: string, signal: SignalMessage): boolean {
  const former = formerArchives(root, signal.from).map((archive) => workspaceLayout(archive))
  return former.some((outboxes) => isRecorded(outboxes, signal))
}
