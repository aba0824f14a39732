import path from 'node:path'
import { presentMs } from '../protocol/clock.ts'
import { signalTypes } from '../protocol/signal.ts'
import { archiveFolder, isMonth } from '../records/signals/archive-months.ts'
import { isSignalName, readAcknowledgment, readSignalFile } from '../records/signals/signal-file.ts'
import { disk } from '../platform/storage/disk.ts'
import { changeOf } from './folder-times.ts'
import { observed } from './histogram.ts'
import { count, type MailLedger, type TeamLedger } from './telemetry-ledger.ts'

/** Senders' clocks and signals under way may differ by so much, in milliseconds. */
const windowMs = 60_000
/** At one look so many waiting times of mail are read; what lay there before the first one may be more. */
const mostSamples = 1000

const nameShape = new RegExp(
  String.raw`^(\d{4}-\d{2}-\d{2})T(\d{2})(\d{2})(\d{2})Z-(${signalTypes.join('|')})-`,
)

interface Named {
  readonly type: string
  /** Milliseconds; 0 in a name that another program gave. */
  readonly time: number
}

/** What a file's name says of its signal. */
function parse(file: string): Named {
  const [, date, hours, minutes, seconds, type = 'other'] = nameShape.exec(file) ?? []
  const time = Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`)
  return { type, time: Number.isNaN(time) ? 0 : time }
}

function byType(files: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const file of files) count(counts, parse(file).type)
  return counts
}

/** Adds what is more than at the last look; files that were removed take nothing back. */
function countGrowth(
  totals: Record<string, number>,
  present: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>> = {},
): void {
  for (const [type, number] of Object.entries(present)) count(totals, type, number - (before[type] ?? 0))
}

const noMail: MailLedger = { newest: '', recent: [], waiting: [], acknowledged: {}, sent: {}, archived: {} }

/** Counts the records of what an address sent, by the names in its outbox. */
export function readOutbox(ledger: TeamLedger, names: readonly string[]): void {
  const mail = (ledger.mail ??= structuredClone(noMail))
  const sent = byType(names.filter(isSignalName))
  countGrowth(ledger.totals.sent, sent, mail.sent)
  mail.sent = sent
}

/** What lay in an inbox and its archive at one moment. */
export interface InboxListing {
  readonly files: readonly string[]
  /** Files in the inbox that have an acknowledgment. */
  readonly acknowledged: ReadonlySet<string>
  /** Acknowledgments in both places, by the signals' types. */
  readonly present: Readonly<Record<string, number>>
}

/** Lists an inbox, and at once its archive: what comes back from there is in the inbox long before it leaves. */
export function listInbox(ledger: TeamLedger, inbox: string, workspace: string): InboxListing {
  const mail = (ledger.mail ??= structuredClone(noMail))
  const names = disk.list(inbox)
  const acknowledged = new Set(acknowledgedIn(names))
  const present = byType([...acknowledged])
  for (const month of readArchive(mail, workspace, acknowledged)) {
    for (const [type, number] of Object.entries(month)) count(present, type, number)
  }
  return { files: names.filter(isSignalName), acknowledged, present }
}

function acknowledgedIn(names: readonly string[]): string[] {
  return names.filter((name) => name.endsWith('.json.ack')).map((name) => name.slice(0, -'.ack'.length))
}

/**
 * Counts the acknowledgments, and reads how long mail waited for its own. Signals that the machine handled are
 * left out: their commits say how long they waited.
 * @param listing made before the commits were read, so that what it shows as acknowledged is in them.
 * @param handled files that the commits since the last look handled.
 */
export function readInbox(
  ledger: TeamLedger,
  inbox: string,
  { files, acknowledged, present }: InboxListing,
  handled: ReadonlySet<string>,
): void {
  const mail = (ledger.mail ??= structuredClone(noMail))
  countGrowth(ledger.totals.acknowledged, present, mail.acknowledged)
  mail.acknowledged = { ...present }
  const waiting = new Set(mail.waiting)
  const isNew = newcomers(mail, files)
  const isMail = (file: string) => !handled.has(file) && (waiting.has(file) || isNew(file))
  const mails = files.filter(isMail)
  const answered = mails.filter((file) => acknowledged.has(file))
  for (const file of answered.slice(-mostSamples)) sample(ledger, inbox, file)
  mail.waiting = mails.filter((file) => !acknowledged.has(file))
  remember(mail, files)
}

/** Notes signals that the machine handled, before there was time to look at the mail. */
export function setAside(ledger: TeamLedger, handled: ReadonlySet<string>): void {
  const mail = (ledger.mail ??= structuredClone(noMail))
  mail.recent = [...new Set([...mail.recent, ...handled])]
  mail.waiting = mail.waiting.filter((file) => !handled.has(file))
}

/** Tells names that no look has seen; one that is dated far ahead is seen when its time has come. */
function newcomers(mail: MailLedger, names: readonly string[]): (file: string) => boolean {
  const known = new Set(mail.recent)
  const horizon = mail.newest === '' ? -Infinity : Date.parse(mail.newest) - windowMs
  const latest = presentMs() + windowMs
  const fresh = new Set(
    names.filter((name) => {
      const { time } = parse(name)
      return !known.has(name) && time >= horizon && time <= latest
    }),
  )
  return (file) => fresh.has(file)
}

function remember(mail: MailLedger, files: readonly string[]): void {
  const latest = presentMs() + windowMs
  const dated = files.map((file) => ({ file, ...parse(file) })).filter(({ time }) => time <= latest)
  let newest = mail.newest === '' ? 0 : Date.parse(mail.newest)
  for (const { time } of dated) newest = Math.max(newest, time)
  const recent = dated.filter(({ time }) => time >= newest - windowMs).map(({ file }) => file)
  mail.newest = new Date(newest).toISOString()
  mail.recent = recent
}

function sample({ totals }: TeamLedger, inbox: string, file: string): void {
  const reading = readSignalFile(path.join(inbox, file))
  const { acknowledged_at: at } = readAcknowledgment(path.join(inbox, `${file}.ack`))
  if (reading.kind !== 'signal' || at === undefined) return
  const { type, timestamp } = reading.signal
  const waited = Date.parse(at) - Date.parse(timestamp)
  // dated ahead by more than clocks differ: it may have been counted when it was handled
  if (waited >= -windowMs) totals.waiting[type] = observed(totals.waiting[type], waited)
}

/** Acknowledgments that were put away, by month; what is on its way between the two counts in the inbox. */
function readArchive(
  mail: MailLedger,
  workspace: string,
  inInbox: ReadonlySet<string>,
): Readonly<Record<string, number>>[] {
  const archive = archiveFolder(workspace)
  const months = disk.list(archive).filter(isMonth)
  for (const month of Object.keys(mail.archived)) if (!months.includes(month)) delete mail.archived[month]
  for (const month of months) {
    const dir = path.join(archive, month)
    const known = mail.archived[month]
    const { changed, isNew } = changeOf(dir, known?.changed)
    if (!isNew) continue
    const files = acknowledgedIn(disk.list(dir))
    const alone = files.filter((file) => !inInbox.has(file))
    mail.archived[month] = {
      acknowledged: byType(alone),
      ...(changed === undefined || alone.length < files.length ? {} : { changed }),
    }
  }
  return Object.values(mail.archived).map(({ acknowledged }) => acknowledged)
}
