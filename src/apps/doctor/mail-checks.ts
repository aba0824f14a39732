import { existsSync } from 'node:fs'
import path from 'node:path'
import { presentMs } from '../../protocol/clock.ts'
import { META } from '../../protocol/team-id.ts'
import { Mailbox } from '../../records/signals/mailbox.ts'
import { archiveFolder } from '../../records/signals/archive-months.ts'
import { Staging } from '../../records/signals/staging.ts'
import { setAside } from '../../records/signals/quarantine.ts'
import { finishPuttingAway } from '../../records/signals/put-away.ts'
import { repairOutbox } from '../../records/signals/deliver.ts'
import { readSignalFile } from '../../records/signals/signal-file.ts'
import { authorOf } from '../../platform/storage/temporary.ts'
import { disk } from '../../platform/storage/disk.ts'
import type { Found } from '../../monitor/diagnosis/finding.ts'
import { folderFindings, hasFolders } from './mail-folder-checks.ts'
import type { View } from '../../monitor/diagnosis/view.ts'
import { recordFindings } from './outbox-record-checks.ts'

/** An acknowledgment without its signal may be on its way for so long, in milliseconds. */
const acknowledgingMs = 60_000
/** What waits for longer than this is worth a word, in milliseconds. */
const longMs = 3_600_000

/** Of what only needs a look, so many are told one by one. */
const longestList = 5

interface Box {
  readonly mailbox: Mailbox
  readonly workspace: string
}

/** What is wrong in the mailboxes; nothing is moved by looking. */
export function mailFindings(view: View): Found[] {
  const boxes: Box[] = [
    { mailbox: new Mailbox(META, view.root), workspace: view.root },
    ...view.entries
      .filter(({ location }) => existsSync(location))
      .map(({ domainId, location }) => ({ mailbox: new Mailbox(domainId, location), workspace: location })),
  ]
  const present = boxes.filter(({ workspace }) => existsSync(path.join(workspace, '.fed')))
  const found = [
    ...present.flatMap((box) => oneMailbox(view, box)),
    ...recordFindings(view.root, present.map(({ mailbox }) => mailbox).filter(hasFolders)),
  ]
  if (found.length > 0) return found
  return [
    {
      severity: 'ok',
      message: `${boxes.length === 1 ? '1 mailbox' : `${boxes.length} mailboxes`}, nothing left over`,
    },
  ]
}

function oneMailbox(view: View, box: Box): Found[] {
  const { mailbox } = box
  const found = folderFindings(mailbox)
  if (!hasFolders(mailbox)) return found
  return [
    ...found,
    ...outbox(view, box),
    ...archiving(box),
    ...acknowledgments(box),
    ...waiting(box),
    ...quarantine(box),
  ]
}

function outbox(view: View, { mailbox }: Box): Found[] {
  const left = disk.list(mailbox.outbox).filter((name) => authorOf(name) === 'dead')
  if (left.length === 0) return []
  const finding: Found = {
    severity: 'warning',
    where: path.join(mailbox.outbox, left[0] as string),
    message: `${mailbox.address}: ${left.length === 1 ? 'left by a sender that was killed' : `${left.length} left by senders that were killed`}`,
    fix: 'what was delivered can get its record, the rest was promised to nobody',
  }
  // who the recipients are, only the registry knows
  if (!view.isOpen) return [finding]
  return [
    {
      ...finding,
      repair() {
        repairOutbox(mailbox, (address) => view.mailboxOf(address))
        const still = left.filter((name) => disk.exists(path.join(mailbox.outbox, name)))
        return `${left.length - still.length} recorded or removed`
      },
    },
  ]
}

/** A process that was killed while it archived: what it had begun is still in the inbox, and in the archive. */
function archiving({ mailbox, workspace }: Box): Found[] {
  const [left] = Staging.abandoned(archiveFolder(workspace), 'leaving')
  if (left === undefined) return []
  return [
    {
      severity: 'warning',
      where: left.dir,
      message: `${mailbox.address}: an archiving that was killed`,
      fix: 'it can be finished',
      repair: () => (finishPuttingAway(mailbox, workspace) ? 'finished' : undefined),
    },
  ]
}

/** An acknowledgment without its signal would count for the next signal of that name. */
function acknowledgments({ mailbox, workspace }: Box): Found[] {
  const { address, inbox, quarantine: aside } = mailbox
  const names = new Set(disk.list(inbox))
  return [...names]
    .filter((name) => name.endsWith('.json.ack') && !names.has(name.slice(0, -'.ack'.length)))
    .map((name) => path.join(inbox, name))
    .filter((file) => (disk.age(file) ?? 0) > acknowledgingMs)
    .map((file) => ({
      severity: 'warning',
      where: file,
      message: `${address}: an acknowledgment without its signal; it would count for the next one of that name`,
      fix: 'it can be set aside in quarantine',
      repair() {
        if (finishPuttingAway(mailbox, workspace) && !disk.exists(file))
          return 'archived, where its signal is'
        if (disk.exists(file.slice(0, -'.ack'.length))) return undefined
        setAside(inbox, aside, path.basename(file), 'an acknowledgment without its signal')
        return 'set aside in quarantine'
      },
    }))
}

function waiting({ mailbox }: Box): Found[] {
  const { address, inbox } = mailbox
  const findings: Found[] = []
  let since = Infinity
  let count = 0
  for (const name of mailbox.unacknowledgedFiles()) {
    const where = path.join(inbox, name)
    const reading = readSignalFile(where)
    if (reading.kind === 'fault') {
      findings.push({
        severity: 'warning',
        where,
        message: `${address}: no signal: ${reading.fault}`,
        fix: 'it can be set aside in quarantine, as the next reader does',
        repair() {
          setAside(inbox, mailbox.quarantine, name, reading.fault)
          return 'set aside in quarantine'
        },
      })
    } else if (reading.kind === 'signal' && reading.signal.to !== address) {
      findings.push({
        severity: 'warning',
        where,
        message: `${address}: it is for ${reading.signal.to}`,
        fix: `move it by hand into the inbox of ${reading.signal.to}, or remove it`,
      })
    } else if (reading.kind === 'signal') {
      const at = Date.parse(reading.signal.timestamp)
      if (presentMs() - at > longMs) count += 1
      since = Math.min(since, at)
    }
  }
  if (count > 0) {
    const what = count === 1 ? '1 signal waits' : `${count} signals wait`
    findings.push({
      severity: 'note',
      where: inbox,
      message: `${address}: ${what} for more than an hour, the oldest since ${new Date(since).toISOString()}`,
      fix:
        address === META
          ? "'fed inbox meta' shows them"
          : `'fed inbox ${address}' shows them, 'fed monitor' steps the team`,
    })
  }
  return findings
}

function quarantine({ mailbox }: Box): Found[] {
  const all = mailbox.quarantined()
  const findings = all.slice(0, longestList).map(({ file, reason }): Found => ({
    severity: 'note',
    where: path.join(mailbox.quarantine, file),
    message: `${mailbox.address}: in quarantine: ${reason}`,
  }))
  if (all.length <= longestList) return findings
  const message = `${mailbox.address}: ${all.length - longestList} more in quarantine`
  return [...findings, { severity: 'note', where: mailbox.quarantine, message }]
}
